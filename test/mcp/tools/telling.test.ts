import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { addLead } from "../support/assistant.ts";
import { type Answer, Caller, when } from "../support/using.ts";

interface Table {
  columns: string[];
  rows: unknown[][];
  same?: Answer;
}

test("find_leads with a view answers in the view's order and with its columns, unless the call names others", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  for (const [name, city, value] of [
    ["Rosa", "Natal", 1],
    ["Tom", "Natal", 3],
    ["Ana", "Natal", 2],
    ["Eva", "Recife", 9],
  ] as const)
    await addLead(the, { name, city, value });
  const saved = await caller.call("save_view", {
    name: "In Natal",
    filter: when("city", "eq", "Natal"),
    sort: ["-value"],
    fields: ["value", "owner"],
  });
  assert.equal(saved.leads, 3);
  const found = (await caller.call("find_leads", { view: "in natal" })).leads as Table;
  assert.deepEqual([found.columns, found.same], [["id", "name", "value"], { owner: "" }]);
  assert.deepEqual(
    found.rows.map(([, name]) => name),
    ["Tom", "Ana", "Rosa"],
  );
  const chosen = await caller.call("find_leads", { view: saved.view_id, sort: ["name"], fields: ["city"] });
  assert.deepEqual((chosen.leads as Table).same, { city: "Natal" });
  await caller.call("save_view", { name: "Plain", filter: when("city", "eq", "Recife") });
  const plain = (await caller.call("find_leads", { view: "Plain" })).leads as Table;
  assert.deepEqual(plain.columns, ["id", "name", "status", "value", "city"]);
  const wrong = await caller.failure("save_view", { name: "Wrong", filter: when("citty", "eq", "x") });
  assert.match(wrong.why, /^\$\.filter\.any\[0\]\.all\[0\]\.field .*city/);
  const refused = await caller.failure("find_leads", { fields: ["name", "dataset.visits"] });
  assert.deepEqual(
    refused.details?.map(({ path, code }) => [path, code]),
    [["$.fields[1]", "only_in_filter"]],
  );
});

test("figures by group come with those of all leads, and a share is of all leads, whatever the groups share", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  for (const tags of [["vip", "fair"], ["vip"], ["fair"], []]) await addLead(the, { tags, value: 10 });
  const { all, groups } = await caller.call("summarize_leads", {
    group_by: ["tags"],
    metrics: ["count", "share", "sum_value", "response_hours"],
  });
  assert.deepEqual(all, { count: 4, share: 100, sum_value: 40, answered: 0 });
  const shares = (groups as { key: Answer; metrics: Answer }[]).map(({ key, metrics }) => [
    key.tags,
    metrics.share,
  ]);
  assert.deepEqual(shares.sort(), [
    ["(no value)", 25],
    ["fair", 50],
    ["vip", 50],
  ]);
  const sums = { metrics: ["sum_value"] };
  const { currency, with_value: valued } = await caller.call("summarize_leads", sums);
  assert.deepEqual([currency, valued], ["no currency", 4]);
  await addLead(the, { value: 5, currency: "EUR" });
  await addLead(the, { value: 90, currency: "BRL", source: "fair" });
  const mixed = await caller.call("summarize_leads", { ...sums, group_by: ["source"] });
  assert.match(String(mixed.currencies), /^Values are in (?=.*EUR)(?=.*BRL).* never added up/);
  assert.deepEqual(
    [mixed.all, mixed.groups],
    [
      { by_currency: { sum_value: { "": 40, BRL: 90, EUR: 5 } } },
      [
        {
          key: { source: "(no value)" },
          metrics: {},
          by_currency: { sum_value: { "": 40, EUR: 5 } },
        },
        { key: { source: "fair" }, metrics: { sum_value: 90 }, by_currency: { sum_value: { BRL: 90 } } },
      ],
    ],
  );
  const spans = { period: "this_year", compare: true, ...sums, filter: when("source", "eq", "fair") };
  await addLead(the, {
    ...{ value: 30, currency: "EUR", source: "fair" },
    created_at: `${new Date().getUTCFullYear() - 1}-06-01T12:00:00Z`,
  });
  const { groups: fair } = await caller.call("summarize_leads", spans);
  assert.deepEqual(fair, [
    {
      ...{ key: {}, metrics: { sum_value: 90, sum_value_before: 30 } },
      by_currency: { sum_value: { BRL: 90 } },
      by_currency_before: { sum_value: { EUR: 30 } },
    },
  ]);
  const open = await caller.call("summarize_leads", { period: "this_year", compare: true });
  assert.equal(open.period_is_over, false);
  assert.match(String(open.note), /same days of both: from \d{4}-01-01 to [\d-]+, and from \d{4}-01-01 to/);
  const past = await caller.call("summarize_leads", { period: "last_14_days", compare: true });
  assert.deepEqual([past.period_is_over, past.note], [undefined, undefined]);
});

test("a rehearsal names the owners, and a warning names the condition as the call wrote it", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  await addLead(the, { name: "Rosa", city: "Natal" });
  const { sample } = await caller.call("bulk_update_leads", {
    ...{ action: "set", set: { owner: "me" }, filter: when("city", "eq", "Natal") },
  });
  const [{ changes = [] } = {}] = sample as { changes: { field: string; to: string }[] }[];
  assert.deepEqual(
    changes.map(({ field, to }) => [field, to]),
    [["owner", the.person.name]],
  );
  const { warnings } = await caller.call("summarize_leads", {
    filter: when("event.email_opened", "is_not_empty"),
    period: "this_year",
  });
  assert.deepEqual(
    (warnings as { path: string }[]).map(({ path }) => path),
    ["$.filter.any[0].all[0].field"],
  );
});

test("rows are answered with how many of them belong to leads", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  await addLead(the, { name: "Rosa", email: "rosa@example.org" });
  const columns = [{ key: "email", type: "email" }];
  const rows = [{ email: "ROSA@example.org" }, { email: "nobody@example.org" }];
  const create = { columns, lead_link: { column: "email", match: "email" } };
  assert.equal((await caller.call("write_dataset", { dataset: "visits", create, rows })).linked_to_leads, 1);
  const alone = await caller.call("write_dataset", { dataset: "alone", create: { columns }, rows });
  assert.deepEqual([alone.created, alone.linked_to_leads], [2, undefined]);
});

test("a change of a few leads is answered with their names, former and new values", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  await addLead(the, { name: "Rosa", status: "new" });
  await addLead(the, { name: "Tom", status: "won" });
  const { records, updated, unchanged } = await caller.call("write_leads", {
    ...{ action: "update", leads: ["Rosa", "Tom"].map((id) => ({ id, status: "won", owner: "me" })) },
  });
  assert.deepEqual([updated, unchanged], [2, undefined]);
  const told = (records as { name: string; changes: object[] }[]).map(({ name, changes }) => [name, changes]);
  const owner = { field: "owner", to: the.person.name };
  assert.deepEqual(told.sort(), [
    ["Rosa", [owner, { field: "status", from: "new", to: "won" }]],
    ["Tom", [owner]],
  ]);
  const noted = await caller.call("log_events", {
    events: [{ lead: "Tom", type: "note.added", text: "Hi" }],
  });
  assert.deepEqual(
    (noted.records as Answer[]).map(({ name, outcome, events }) => [name, outcome, events]),
    [["Tom", "recorded", 1]],
  );
  for (let n = 0; n < 11; n += 1) await addLead(the, { name: `Lead ${n}` });
  const leads = [...Array(11).keys()].map((n) => `Lead ${n}`);
  const many = await caller.call("bulk_update_leads", { action: "add_tags", tags: ["a"], leads });
  assert.deepEqual([many.updated, many.records], [11, undefined]);
});
