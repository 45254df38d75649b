import assert from "node:assert/strict";
import { test } from "node:test";
import { FULL } from "../../api/support/two-projects.ts";
import { world } from "../../world.ts";
import { addLead } from "../support/assistant.ts";
import { type Answer, Caller, recordsOf, when } from "../support/using.ts";

test("a lead is found by its phone as people write it, its e-mail or its full name; several are listed to choose from", async () => {
  await using the = await world();
  await the.sql("UPDATE store.project SET default_country = 'BR' WHERE project_id = $1", [the.project.id]);
  const caller = await Caller.in(the);
  const key = await the.key(FULL);
  const made = await key.send("POST", "/api/v1/leads", {
    ...{ first_name: "Caio", last_name: "Prado", phone: "(11) 91609-7776", email: "caio@example.org" },
  });
  const { id } = (await made.json()) as { id: string };
  for (const named of [
    id,
    "(11) 91609-7776",
    "+55 11 91609 7776",
    "11916097776",
    "CAIO@example.org",
    "caio prado",
  ]) {
    const { lead } = await caller.call("get_lead", { id: named });
    assert.equal((lead as Answer).id, id, named);
  }
  const others = [await addLead(the, { name: "Ana Souza" }), await addLead(the, { name: "ANA SOUZA" })];
  const { why, next_step: next, details = [] } = await caller.failure("get_lead", { id: "Ana Souza" });
  assert.match(`${why} ${next}`, /^2 leads are called "Ana Souza"\. Call again with the id .* ask the user/);
  assert.deepEqual(details.map(({ message }) => message.split(",")[0]).sort(), others.sort());
  assert.match(
    (await caller.failure("get_lead", { id: "Zed" })).why,
    /No lead has the id, e-mail, phone or full name "Zed"/,
  );
});

test("a search without matches names the condition that no lead meets, and the nearest values", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  for (let n = 0; n < 3; n += 1) await addLead(the, { name: `Lead ${n}`, city: "São Paulo", status: "new" });
  await addLead(the, { name: "Rosa", city: "Recife", status: "won" });
  const because = async (...all: object[]) => {
    const answer = await caller.call("find_leads", { filter: { any: [{ all }] } });
    assert.equal(answer.total, 0);
    return answer.empty_because;
  };
  const city = (value: string) => ({ field: "city", op: "eq", value });
  const won = { field: "status", op: "eq", value: "won" };
  assert.deepEqual(await because(city("Sao Paul"), won), [
    "No lead meets: city is “Sao Paul”. Nearest values: São Paulo (3).",
  ]);
  assert.deepEqual(await because(city("sao paulo"), won), [
    "3 leads meet: city is “sao paulo”; meeting all other conditions: 1.",
    "1 lead meets: status is won; meeting all other conditions: 3.",
  ]);
  assert.match(
    (await caller.failure("find_leads", { filter: when("citty", "eq", "x") })).why,
    /the nearest are city/,
  );
});

test("explain says for one lead which conditions it meets, and what it has instead", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  await addLead(the, { name: "Rosa Lund", city: "Recife", status: "won" });
  const all = [
    { field: "city", op: "eq", value: "Natal" },
    { field: "status", op: "eq", value: "won" },
    { field: "event.call.*", op: "is_not_empty" },
  ];
  const { matches, conditions } = await caller.call("find_leads", {
    ...{ filter: { any: [{ all }] }, explain: "Rosa Lund" },
  });
  assert.equal(matches, false);
  assert.deepEqual(
    (conditions as Answer[]).map(({ met, lead_has: has }) => [met, has]),
    [
      [false, "Recife"],
      [true, "won"],
      [false, undefined],
    ],
  );
});

test("owners are named by people's names, in filters, orders, groups and writes; an unknown name is answered with the known ones", async () => {
  await using the = await world();
  const vera = await the.newPerson("Vera Campos");
  await the.join(vera, the.project.id, "editor");
  const caller = await Caller.in(the);
  await addLead(the, { name: "Rosa", owner_id: vera.id });
  await addLead(the, { name: "Tom", owner_id: the.person.id });
  const found = async (owner: string) =>
    recordsOf((await caller.call("find_leads", { filter: when("owner", "eq", owner) })).leads).map(
      ({ name }) => name,
    );
  assert.deepEqual(await found("Vera"), ["Rosa"]);
  assert.deepEqual(await found("vera campos"), ["Rosa"]);
  assert.deepEqual(await found("me"), ["Tom"]);
  const { groups } = await caller.call("summarize_leads", { group_by: ["owner"] });
  assert.deepEqual(
    (groups as { key: Answer }[]).map(({ key }) => key.owner).sort(),
    [the.person.name, "Vera Campos"].sort(),
  );
  const written = await caller.call("write_leads", {
    action: "update",
    leads: [{ id: "Tom", owner: "Vera" }],
  });
  assert.equal(written.updated, 1);
  const { why } = await caller.failure("find_leads", { filter: when("owner", "eq", "Vere") });
  assert.match(why, /"Vere" is not a member of this project; the nearest are Vera Campos/);
});

test("what was changed is listed with who did it, by person and by lead, and one change with all its leads", async () => {
  await using the = await world();
  const vera = await the.newPerson("Vera Campos");
  await the.join(vera, the.project.id, "editor");
  const [mine, hers] = [
    await Caller.in(the),
    await Caller.in(the, { person: vera, projectId: the.project.id }),
  ];
  await addLead(the, { name: "Rosa", status: "new" });
  await addLead(the, { name: "Tom", status: "new" });
  await mine.call("write_leads", { action: "update", leads: [{ id: "Rosa", status: "won" }] });
  const both = await hers.call("write_leads", {
    action: "update",
    leads: ["Rosa", "Tom"].map((id) => ({ id, city: "Natal" })),
  });
  const listed = async (args: object) => (await mine.call("list_changes", args)).changes as Answer[];
  assert.equal((await listed({ period: "today" })).length, 2);
  const [change, ...others] = await listed({ actor: "Vera" });
  assert.deepEqual(
    [change?.change_id, change?.by, others],
    [both.change_id, "Test application, for Vera Campos", []],
  );
  assert.deepEqual(
    ((change?.records ?? []) as Answer[]).map(({ name, changes }) => [name, changes]).sort(),
    ["Rosa", "Tom"].map((name) => [name, [{ field: "city", to: "Natal" }]]),
  );
  assert.deepEqual(
    (await listed({ actor: "me" })).map(({ by }) => by),
    [`Test application, for ${the.person.name}`],
  );
  const timeline = (await mine.call("list_changes", { lead: "Rosa" })).events as Answer[];
  assert.deepEqual(
    timeline.map(({ field, to }) => [field, to]),
    [
      ["city", "Natal"],
      ["status", "won"],
    ],
  );
  const one = (await mine.call("list_changes", { id: both.change_id })).change as { records: Answer[] };
  assert.equal(one.records.length, 2);
  await mine.call("log_events", { events: [{ lead: "Tom", type: "call.made", text: "Busy" }] });
  const calls = await mine.call("list_changes", { types: ["call.*"] });
  assert.deepEqual([calls.total, (calls.events as Answer[])[0]?.lead], [1, "Tom"]);
  await mine.call("log_events", { events: [{ lead: "Rosa", type: "call.made", text: "Gone" }] });
  const { lead: rosa } = await mine.call("get_lead", { id: "Rosa" });
  const key = await the.key(FULL);
  assert.equal((await key.send("DELETE", `/api/v1/leads/${(rosa as Answer).id}`)).status, 204);
  const events = async (...types: string[]) =>
    (await mine.call("list_changes", { types })).events as Answer[];
  assert.deepEqual(
    (await events("lead.deleted")).map(({ lead }) => lead),
    ["Rosa"],
  );
  assert.deepEqual(
    (await events("call.made")).map(({ lead }) => lead),
    ["Tom"],
  );
});

test("shares, conversion and the change since the period before are computed, not left to the model", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const rows: [source: string, status: string, created: string][] = [
    ...["won", "won", "new", "new"].map((status): [string, string, string] => ["site", status, "2026-05-10"]),
    ["ads", "new", "2026-05-11"],
    ["site", "won", "2026-04-02"],
    ["site", "new", "2026-04-03"],
  ];
  for (const [source, status, created] of rows)
    await addLead(the, { source, status, value: 10, created_at: created });
  const { groups, before } = await caller.call("summarize_leads", {
    ...{ group_by: ["source"], metrics: ["count", "share", "rate", "median_value"] },
    ...{
      where: when("status", "eq", "won"),
      from: "2026-05-01",
      to: "2026-06-01",
      compare: true,
      sort: ["-rate"],
    },
  });
  assert.deepEqual(before, { from: "2026-04-01", to: "2026-05-01" });
  const site = {
    ...{ count: 4, count_before: 2, count_change: 100, share: 80, share_before: 100, share_points: -20 },
    ...{
      rate: 50,
      rate_before: 50,
      rate_points: 0,
      ...{ where_count: 2, where_count_before: 1, where_count_change: 100 },
      median_value: 10,
      median_value_before: 10,
      median_value_change: 0,
    },
  };
  const ads = {
    count: 1,
    count_before: 0,
    share: 20,
    share_before: 0,
    share_points: 20,
    rate: 0,
    ...{ where_count: 0, where_count_before: 0 },
    median_value: 10,
  };
  assert.deepEqual(groups, [
    { key: { source: "site" }, metrics: site },
    { key: { source: "ads" }, metrics: ads },
  ]);
  assert.match((await caller.failure("summarize_leads", { metrics: ["rates"] })).why, /did you mean rate\?/);
});

test("twenty-five leads are answered in four kilobytes, with the columns of the question", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  for (let n = 0; n < 25; n += 1)
    await addLead(the, {
      name: `Rosa Lund ${n}`,
      company: `Kiosk ${n % 7}`,
      status: "new",
      source: `s${n % 3}`,
      value: n,
    });
  const { leads } = await caller.call("find_leads", { filter: when("value", "gte", 0), sort: ["-value"] });
  const { columns, rows, same } = leads as { columns: string[]; rows: unknown[][]; same: Answer };
  assert.deepEqual([columns, same], [["id", "name", "company", "source", "value"], { status: "new" }]);
  assert.ok(Buffer.byteLength(JSON.stringify(leads)) < 2_600 && rows.length === 25, JSON.stringify(leads));
  const chosen = await caller.call("find_leads", { fields: ["email", "created_at"], limit: 1 });
  assert.deepEqual((chosen.leads as { columns: string[] }).columns, ["id", "email", "created_at"]);
});
