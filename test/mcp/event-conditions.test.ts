import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../src/core/id.ts";
import { endedExport } from "../api/support/exports.ts";
import { addLeads } from "../api/support/leads.ts";
import { bodyOf, COMPANIES, keeper, make, written } from "../datasets/support/dataset.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { answerOf } from "./support/assistant.ts";
import { Caller, type Failure, when } from "./support/using.ts";

const DAY = 86_400_000;
const WEEK = { n: 7, unit: "day" };

type Condition = [field: string, op: string, value?: unknown];

const groupOf = (conditions: Condition[]) => ({
  all: conditions.map(([field, op, value]) => ({ field, op, ...(value === undefined ? {} : { value }) })),
});

const allOf = (...conditions: Condition[]) => ({ any: [groupOf(conditions)] });

async function happened(the: World, leadId: string, type: string, ...daysAgo: number[]): Promise<void> {
  for (const days of daysAgo) {
    await the.sql(
      "INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title) VALUES ($1, $2, $3, $4, $5, 't')",
      [the.project.id, newId("evt"), leadId, type, new Date(Date.now() - days * DAY)],
    );
  }
}

type Ids = { leads: { id: string; name: string }[] };
const namesOf = ({ leads }: Ids): string => leads.map(({ name }) => name).join(" ");

/** Returns the names of the leads that match the assistant's filter, in order. */
const toldBy = async (caller: Caller, args: object): Promise<string> =>
  namesOf((await caller.call("query_leads", { ...args, sort: [{ field: "name" }] })) as unknown as Ids);

/** The same for the service's own grammar. */
const toldByRest = async (key: KeyActor, filter: object): Promise<string> =>
  namesOf(await bodyOf<Ids>(await key.query({ filter, sort: [{ field: "name" }] })));

async function openers(the: World): Promise<Record<"Ana" | "Bia" | "Caio" | "Davi", string>> {
  const [Ana = "", Bia = "", Caio = "", Davi = ""] = await addLeads(the, [
    { name: "Ana", city: "São Paulo" },
    { name: "Bia", city: "São Paulo" },
    { name: "Caio", city: "Santos" },
    { name: "Davi", city: "sao paulo" },
  ]);
  await happened(the, Ana, "email.opened", 1, 2, 30);
  await happened(the, Bia, "email.opened", 3);
  await happened(the, Bia, "call.made", 2);
  await happened(the, Caio, "email.opened", 40);
  await happened(the, Caio, "email.clicked", 1);
  return { Ana, Bia, Caio, Davi };
}

test("leads of a city that opened an e-mail this week and were not called are found with one query", async () => {
  await using the = await world();
  await openers(the);
  const caller = await Caller.in(the);
  const filter = allOf(
    ["city", "eq", "São Paulo"],
    ["event.email.opened", "in_last", WEEK],
    ["event.call.*", "is_empty"],
  );
  assert.equal(await toldBy(caller, { filter }), "Ana");
});

test("an event is selected by its time, its number or its absence, as in REST", async () => {
  await using the = await world({ alone: true });
  await openers(the);
  const [caller, key] = [await Caller.in(the), await the.key()];
  const recent = { op: "in_last", value: WEEK };
  const long = { op: "older_than", value: WEEK };
  const never = { op: "eq", value: 0 };
  const later = new Date(Date.now() - 10 * DAY).toISOString();
  const [{ day } = { day: "" }] = await the.sql<{ day: string }>(
    `SELECT (occurred_at AT TIME ZONE 'UTC')::date::text AS day FROM store.event
     WHERE occurred_at < now() - interval '30 days' ORDER BY occurred_at DESC LIMIT 1`,
  );
  const type = "email.opened";
  const ASKED: [Condition, object, string][] = [
    [["event.email.opened", "in_last", WEEK], { type, occurred: recent }, "Ana Bia"],
    [["event.email.*", "in_last", WEEK], { type: "email.*", occurred: recent }, "Ana Bia Caio"],
    [["event.email.opened", "not_in_last", WEEK], { type, occurred: recent, count: never }, "Caio Davi"],
    [["event.email.opened", "older_than", WEEK], { type, occurred: long }, "Ana Caio"],
    [["event.email.opened", "after", later], { type, occurred: { op: "after", value: later } }, "Ana Bia"],
    [["event.email.opened", "eq", day], { type, occurred: { op: "eq", value: day } }, "Ana"],
    [
      ["event.email.opened", "between", [day, day]],
      { type, occurred: { op: "between", value: [day, day] } },
      "Ana",
    ],
    [
      ["event.email.opened", "in_period", "this_year"],
      { type, occurred: { op: "in_period", value: "this_year" } },
      await toldByRest(key, { event: { type, occurred: { op: "in_period", value: "this_year" } } }),
    ],
    [["event.email.opened", "gte", 2], { type, count: { op: "gte", value: 2 } }, "Ana"],
    [["event.email.opened", "eq", 1], { type, count: { op: "eq", value: 1 } }, "Bia Caio"],
    [["event.email.opened", "neq", 1], { type, count: { op: "neq", value: 1 } }, "Ana Davi"],
    [["event.email.opened", "lt", 2], { type, count: { op: "lt", value: 2 } }, "Bia Caio Davi"],
    [
      ["event.email.opened", "between", [1, 3]],
      { type, count: { op: "between", value: [1, 3] } },
      "Ana Bia Caio",
    ],
    [["event.email.opened", "is_empty"], { type, count: never }, "Davi"],
    [["event.email.opened", "is_not_empty"], { type }, "Ana Bia Caio"],
  ];
  for (const [condition, event, names] of ASKED) {
    const filter = allOf(condition);
    assert.equal(await toldBy(caller, { filter }), names, JSON.stringify(condition));
    assert.equal(await toldByRest(key, { event }), names, JSON.stringify(event));
  }
  const gone = allOf(["event.email.opened", "not_in_last", WEEK], ["event.email.opened", "is_not_empty"]);
  assert.equal(await toldBy(caller, { filter: gone }), "Caio");
  assert.equal(await toldByRest(key, { event: { type, occurred: long, pick: "last" } }), "Caio");
  const either = {
    any: [groupOf([["event.call.made", "is_not_empty"]]), groupOf([["event.email.*", "is_empty"]])],
  };
  assert.equal(await toldBy(caller, { filter: either }), "Bia Davi");
});

test("every tool that takes a filter supports events, next to a view too", async () => {
  await using the = await world();
  const { Ana } = await openers(the);
  const [caller, key] = [await Caller.in(the), await keeper(the)];
  const query = { filter: { field: "city", op: "eq", value: "São Paulo" } };
  const { id: view } = await bodyOf<{ id: string }>(
    await key.send("POST", "/api/v1/views", { name: "City", query }),
    201,
  );
  const filter = when("event.email.opened", "gte", 1);
  assert.equal(await toldBy(caller, { filter, view }), "Ana Bia");
  const { groups } = await caller.call("summarize_leads", { filter, group_by: ["city"] });
  assert.deepEqual(groups, [
    { key: { city: "São Paulo" }, metrics: { count: 2 } },
    { key: { city: "Santos" }, metrics: { count: 1 } },
  ]);
  const { export_id: file } = await caller.call("export_leads", { filter });
  assert.equal((await endedExport(key, String(file))).done, 3);
  const change = { filter: when("event.email.opened", "gt", 1), action: "add_tags", tags: ["warm"] };
  const rehearsed = await caller.call("bulk_update_leads", change);
  assert.deepEqual([rehearsed.matched, rehearsed.updated], [1, 1]);
  await caller.call("bulk_update_leads", { ...change, dry_run: false, expected_count: 1 });
  assert.deepEqual((await toldBy(caller, { filter: when("tags", "has_any", ["warm"]) })).split(" "), ["Ana"]);
  assert.deepEqual(((await caller.call("get_lead", { id: Ana })).lead as { tags: string[] }).tags, ["warm"]);
});

test("a dataset is tested for linked rows: one that meets a condition, any, or how many", async () => {
  await using the = await world();
  const [key, caller] = [await keeper(the), await Caller.in(the, { scopes: ["mcp:read"] })];
  await make(key);
  await addLeads(the, [
    { name: "Ana", email: "ana@x.org" },
    { name: "Bia", email: "bia@x.org" },
    { name: "Caio", email: "caio@x.org" },
  ]);
  await written(key, [
    { domain: "a", name: "Kiosk", contact: "ana@x.org", employees: 5, founded: "2020-01-31" },
    { domain: "b", name: "Kiosk 2", contact: "ana@x.org", employees: 50 },
    { domain: "c", name: "Bar", contact: "bia@x.org", tier: "gold" },
  ]);
  const whereOf = (field: string, op: string, value?: unknown) => ({
    where: { field, op, ...(value === undefined ? {} : { value }) },
  });
  const ASKED: [Condition, object, string][] = [
    [["dataset.companies.employees", "gte", 10], whereOf("employees", "gte", 10), "Ana"],
    [["dataset.companies.employees", "is_empty"], whereOf("employees", "is_empty"), "Bia"],
    [["dataset.companies.name", "contains", "KIOSK"], whereOf("name", "contains", "KIOSK"), "Ana"],
    [["dataset.companies.name", "neq", "Kiosk"], whereOf("name", "neq", "Kiosk"), "Ana Bia"],
    [["dataset.companies.tier", "in", ["gold"]], whereOf("tier", "in", ["gold"]), "Bia"],
    [
      ["dataset.companies.founded", "before", "2021-01-01"],
      whereOf("founded", "before", "2021-01-01"),
      "Ana",
    ],
    [["dataset.companies._created_at", "in_last", WEEK], whereOf("_created_at", "in_last", WEEK), "Ana Bia"],
    [["dataset.companies", "is_not_empty"], {}, "Ana Bia"],
    [["dataset.companies", "is_empty"], { count: { op: "eq", value: 0 } }, "Caio"],
    [["dataset.companies", "gt", 1], { count: { op: "gt", value: 1 } }, "Ana"],
    [["dataset.companies", "between", [0, 1]], { count: { op: "between", value: [0, 1] } }, "Bia Caio"],
  ];
  for (const [condition, dataset, names] of ASKED) {
    assert.equal(await toldBy(caller, { filter: allOf(condition) }), names, JSON.stringify(condition));
    assert.equal(await toldByRest(key, { dataset: { key: "companies", ...dataset } }), names);
  }
});

test("an error in such a condition is reported at the assistant's own condition", async () => {
  await using the = await world();
  const [key, caller] = [await keeper(the), await Caller.in(the)];
  await make(key);
  await make(key, { ...COMPANIES, key: "loose", name: "Loose", lead_link: null });
  const WRONG: [Condition, string, RegExp][] = [
    [["event.call.made", "contains", "x"], "op", /"contains".*event\.call\.made.*in_last.*gte.*is_empty/],
    [["event.call.made", "in", [1]], "op", /"in".*between/],
    [["event.call *", "in_last", WEEK], "field", /email\.opened/],
    [["dataset.loose.name", "eq", "x"], "field", /lead_link/],
    [["dataset.companies.employees", "eq", "many"], "value", /number/],
  ];
  const score = groupOf([["score", "gte", 1]]);
  for (const [condition, member, message] of WRONG) {
    const wrong = groupOf([["score", "gte", 1], condition]);
    const told = ({ details }: Failure) => details?.map(({ path }) => path);
    const alone = await caller.failure("query_leads", { filter: { any: [wrong] } });
    assert.deepEqual(told(alone), [`$.filter.any[0].all[1].${member}`], JSON.stringify(condition));
    assert.match(alone.why, message);
    const second = { filter: { any: [score, wrong] } };
    const path = [`$.filter.any[1].all[1].${member}`];
    assert.deepEqual(told(await caller.failure("query_leads", second)), path);
    assert.deepEqual(
      told(await caller.failure("query_leads", { ...second, view: "view_none" }))?.[0],
      path[0],
    );
  }
  const all = { any: [groupOf([WRONG[0]?.[0] ?? ["", ""], WRONG[1]?.[0] ?? ["", ""]])] };
  const tools: [string, object][] = [
    ["summarize_leads", {}],
    ["export_leads", {}],
    ["bulk_update_leads", { action: "add_tags", tags: ["x"] }],
  ];
  for (const [name, args] of tools) {
    const { details } = await caller.failure(name, { ...args, filter: all });
    const paths = details?.map(({ path }) => path);
    assert.deepEqual(paths, ["$.filter.any[0].all[0].op", "$.filter.any[0].all[1].op"], name);
  }
  const many = { filter: allOf(...Array<Condition>(11).fill(["event.call.made", "is_empty"])) };
  const { details } = await caller.failure("query_leads", many);
  assert.deepEqual([details?.[0]?.path, details?.[0]?.code], ["$.filter.any[0].all[10]", "too_many_events"]);
  const stranger = { any: [{ all: [{ field: "name", op: "is_empty", event: { count: 1 } }] }] };
  const unexpected = await caller.failure("query_leads", { filter: stranger });
  assert.equal(unexpected.details?.[0]?.path, "$.filter.any[0].all[0].event");
});

test("an invalid operator is reported only to callers who may read", async () => {
  await using the = await world();
  const { assistant } = await Caller.in(the, { scopes: ["mcp:write"] });
  const args = { filter: when("event.call.made", "contains", "x") };
  const answer = await assistant.ask("tools/call", { name: "query_leads", arguments: args });
  assert.equal(answer.status, 403);
});

test("the rows of a dataset have columns, and no events", async () => {
  await using the = await world();
  const [key, caller] = [await keeper(the), await Caller.in(the)];
  await make(key);
  const filter = when("event.call.made", "is_empty");
  const { why } = await caller.failure("read_dataset", { dataset: "companies", filter });
  assert.match(why, /"event\.call\.made" is not a column/);
});

test("the tools and the saved views explain how events and datasets are named", async () => {
  await using the = await world();
  const { assistant, tools } = await Caller.in(the);
  assert.match(JSON.stringify(tools.get("find_leads")?.inputSchema), /event\.<type>.*dataset\.<key>/);
  for (const name of ["summarize_leads", "export_leads", "bulk_update_leads", "save_view"])
    assert.match(JSON.stringify(tools.get(name)?.inputSchema), /As in find_leads/, name);
  const params = { uri: "leads://filters" };
  const { result } = await answerOf(
    await assistant.ask("resources/read", params, { "Mcp-Name": params.uri }),
  );
  const [{ text } = { text: "" }] = result.contents as { text: string }[];
  const { related_fields: fields } = JSON.parse(text) as { related_fields: object };
  assert.deepEqual(Object.keys(fields), ["event.<type>", "dataset.<key>", "dataset.<key>.<column>"]);
});
