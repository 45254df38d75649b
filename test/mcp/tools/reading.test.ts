import assert from "node:assert/strict";
import { test } from "node:test";
import { endedExport } from "../../api/support/exports.ts";
import { addLeads } from "../../api/support/leads.ts";
import { FULL, filled } from "../../api/support/two-projects.ts";
import { world } from "../../world.ts";
import { addLead } from "../support/assistant.ts";
import { type Answer, Caller, recordsOf, when } from "../support/using.ts";

const idsOf = (list: unknown) => (list as { id: string }[]).map(({ id }) => id);

test("search and fetch return the shapes that ChatGPT expects, with the lead's page for people", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: "Nadia Brandt", company: "Kiosk", email: "nadia@kiosk.example" });
  await addLead(the, { name: "Tom Okafor" });
  const { results } = await caller.call("search", { query: "nadia kiosk" });
  const url = `${the.authUrl}/projects/${the.project.id}/leads/${id}`;
  assert.deepEqual(results, [{ id, title: "Nadia Brandt, Kiosk", url }]);
  await caller.call("add_lead_event", { id, type: "note.added", data: { text: "Called back" } });
  const document = await caller.call("fetch", { id });
  assert.deepEqual(Object.keys(document), ["id", "title", "text", "url", "metadata"]);
  assert.deepEqual([document.id, document.title, document.url], [id, "Nadia Brandt, Kiosk", url]);
  const text = JSON.parse(String(document.text)) as { lead: Answer; recent_events: { title: string }[] };
  assert.equal(text.lead.email, "nadia@kiosk.example");
  assert.match(text.recent_events[0]?.title ?? "", /Called back/);
  assert.ok(Object.values(document.metadata as object).every((value) => typeof value === "string"));
  assert.match((await caller.failure("fetch", { id: "lead_x" })).next_step, /find_leads/);
});

test("search finds a lead by its exact id, and by parts of an e-mail", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const key = await the.key(FULL);
  const made = await key.send("POST", "/api/v1/leads", { email: "ana.souza@example.org" });
  const { id } = (await made.json()) as { id: string };
  for (const query of [id, "souza@exam"]) {
    assert.deepEqual(idsOf((await caller.call("search", { query })).results), [id]);
  }
  assert.deepEqual((await caller.call("search", { query: "nobody" })).results, []);
  assert.match((await caller.failure("search", {})).why, /\$\.query is required/);
});

test("get_context returns in one call what an assistant needs first", async () => {
  await using the = await world();
  const side = await filled(the, "alder");
  const person = await the.newPerson("Iris");
  await the.join(person, side.ids.project, "editor");
  const caller = await Caller.in(the, { projectId: side.ids.project, person });
  const context = await caller.call("get_context", { detail: "full" });
  const project = context.project as Answer;
  assert.deepEqual([project.id, project.name, project.timezone], [side.ids.project, side.mark, "UTC"]);
  assert.equal(context.today, new Date(String(context.now)).toISOString().slice(0, 10));
  assert.deepEqual(context.person, { name: "Iris", role: "editor" });
  assert.deepEqual([context.scopes, context.may_write], [["mcp:read", "mcp:write"], true]);
  assert.deepEqual(context.statuses, ["new", side.mark]);
  const fields = context.fields as { name: string; type: string; options?: string[]; frequent?: string[] }[];
  const field = (name: string) => fields.find((each) => each.name === name);
  assert.deepEqual(field("source")?.frequent, [side.mark]);
  assert.deepEqual(field("custom.field_of_alder")?.options, [side.mark]);
  assert.deepEqual(field("custom.field_of_alder")?.frequent, [side.mark]);
  assert.deepEqual(idsOf(context.views), [side.ids.view]);
  const [dataset] = context.datasets as Answer[];
  assert.deepEqual(
    [dataset?.id, dataset?.key, dataset?.columns, dataset?.link],
    [side.ids.dataset, "companies_of_alder", ["domain"], "domain"],
  );
  assert.ok(idsOf(context.members).includes(person.id));
  assert.equal((context.limits as Answer).answer_bytes, 60_000);
  const reader = await Caller.in(the, { scopes: ["mcp:read"] });
  assert.equal((await reader.call("get_context")).may_write, false);
});

test("query_leads combines conditions, words and a saved view, and names an invalid one by its own path", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const key = await the.key(FULL);
  const won = await addLead(the, { name: "Nadia", status: "won", score: 80 });
  const low = await addLead(the, { name: "Nadja", status: "won", score: 20 });
  await addLead(the, { name: "Nando", status: "lost", score: 90 });
  const view = (await (
    await key.send("POST", "/api/v1/views", {
      name: "Won",
      query: { filter: { field: "status", op: "eq", value: "won" } },
    })
  ).json()) as { id: string };
  const found = async (args: object) => idsOf((await caller.call("query_leads", args)).leads).sort();
  assert.deepEqual(await found({ view: view.id }), [won, low].sort());
  assert.deepEqual(await found({ view: view.id, filter: when("score", "gte", 50) }), [won]);
  assert.deepEqual(await found({ search: "nadj", filter: when("status", "eq", "won") }), [low]);
  const either = { any: [...when("score", "lt", 50).any, ...when("status", "eq", "lost").any] };
  assert.equal((await found({ filter: either })).length, 2);
  const why = async (args: object) => (await caller.failure("query_leads", args)).details?.[0]?.path;
  const nope = when("nope", "eq", 1);
  const both = { any: [...when("score", "gte", 1).any, ...nope.any] };
  assert.equal(await why({ filter: nope }), "$.filter.any[0].all[0].field");
  assert.equal(await why({ filter: both }), "$.filter.any[1].all[0].field");
  assert.equal(await why({ filter: nope, view: view.id }), "$.filter.any[0].all[0].field");
  assert.equal(await why({ filter: both, view: "view_none" }), "$.filter.any[1].all[0].field");
  assert.equal(await why({ view: "view_none" }), "$.view");
  assert.equal(await why({ filter: either, view: "view_none" }), "$.view");
  assert.equal(await why({ filter: when("score", "gte", 1), view: "view_none" }), "$.view");
});

test("get_lead includes the dataset rows linked to the lead, on request", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const key = await the.key(FULL);
  const id = await addLead(the, { name: "Nadia", external_id: "K-1" });
  await key.send("POST", "/api/v1/datasets", {
    key: "companies",
    columns: [
      { key: "code", type: "text", required: true, unique: true },
      { key: "size", type: "integer" },
    ],
    key_column: "code",
    lead_link: { column: "code", match: "external_id" },
  });
  await caller.call("write_dataset", {
    dataset: "companies",
    mode: "upsert",
    rows: [{ code: "K-1", size: 7 }],
  });
  const { lead } = await caller.call("get_lead", { id, include_datasets: true });
  assert.match(JSON.stringify((lead as Answer).datasets), /"size":7/);
  assert.equal(((await caller.call("get_lead", { id })).lead as Answer).datasets, undefined);
  const { datasets, total } = await caller.call("list_datasets");
  assert.equal(total, 1);
  assert.equal((datasets as Answer[])[0]?.key_column, "code");
  const { rows } = await caller.call("read_dataset", {
    dataset: "companies",
    filter: when("size", "gt", 5),
  });
  assert.equal(recordsOf(rows)[0]?._lead_id, id);
  assert.match((await caller.failure("read_dataset", { dataset: "nope" })).next_step, /read_dataset without/);
  const wrong = await caller.failure("read_dataset", {
    dataset: "companies",
    filter: when("nope", "eq", 1),
  });
  assert.equal(wrong.details?.[0]?.path, "$.filter.any[0].all[0].field");
});

test("a timeline is read in pages, by type and time, in either order", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: "Nadia" });
  for (let day = 1; day <= 5; day += 1) {
    await caller.call("add_lead_event", {
      ...{
        id,
        type: day % 2 === 0 ? "call.made" : "note.added",
        occurred_at: `2026-03-0${day}T10:00:00+00:00`,
      },
      ...{ data: { text: `day ${day}`, outcome: `day ${day}` } },
    });
  }
  const titles = async (args: object) =>
    ((await caller.call("get_lead_timeline", { id, ...args })).events as { title: string }[]).map(
      ({ title }) => Number(/\d$/.exec(title)?.[0]),
    );
  assert.deepEqual(await titles({}), [5, 4, 3, 2, 1]);
  assert.deepEqual(await titles({ types: ["call.*"], order: "asc" }), [2, 4]);
  assert.deepEqual(await titles({ from: "2026-03-02", to: "2026-03-04" }), [3, 2]);
  const { next_offset: next } = await caller.call("get_lead_timeline", { id, limit: 2 });
  assert.deepEqual([next, await titles({ limit: 2, offset: next })], [2, [3, 2]]);
  assert.equal(
    (await caller.failure("get_lead_timeline", { id, from: "soon" })).details?.[0]?.path,
    "$.from",
  );
  assert.match((await caller.failure("get_lead_timeline", { id: "x" })).why, /No such lead/);
});

test("summarize_leads computes figures by group", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  await addLead(the, { status: "won", value: 10, source: "web" });
  await addLead(the, { status: "won", value: 30 });
  await addLead(the, { status: "lost", value: 5, source: "web" });
  const { groups } = await caller.call("summarize_leads", {
    group_by: ["status"],
    metrics: ["count", "sum_value"],
  });
  assert.deepEqual(groups, [
    { key: { status: "won" }, metrics: { count: 2, sum_value: 40 } },
    { key: { status: "lost" }, metrics: { count: 1, sum_value: 5 } },
  ]);
  const all = await caller.call("summarize_leads", { filter: when("source", "eq", "WEB") });
  assert.deepEqual(all.groups, [{ key: {}, metrics: { count: 2 } }]);
  const few = await caller.call("summarize_leads", { group_by: ["source"], limit: 1 });
  assert.deepEqual([few.truncated, few.total_groups], [true, 2]);
  assert.match((await caller.failure("summarize_leads", { metrics: ["sum"] })).why, /\$\.metrics\[0\]/);
});

test("find_duplicates finds the duplicates of one lead, and the groups of the entire project", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const first = await addLead(the, { name: "Nadia Brandt", company: "Kiosk", email: "Nadia@kiosk.example" });
  const second = await addLead(the, { name: "N. Brandt", email: "nadia@KIOSK.example" });
  await addLead(the, { name: "Tom", email: "tom@kiosk.example" });
  const { duplicates } = await caller.call("find_duplicates", { id: first });
  assert.deepEqual(
    (duplicates as { lead: { id: string }; reasons: unknown }[]).map(({ lead, reasons }) => [
      lead.id,
      reasons,
    ]),
    [[second, [{ code: "email", value: "nadia@kiosk.example" }]]],
  );
  const { groups } = await caller.call("find_duplicates");
  const [group] = groups as { count: number; leads: { id: string }[] }[];
  assert.deepEqual([group?.count, idsOf(group?.leads).sort()], [2, [first, second].sort()]);
  assert.deepEqual((await caller.call("find_duplicates", { by: "name_and_company" })).groups, []);
  assert.match((await caller.failure("find_duplicates", { id: first, by: "email" })).why, /\$\.by/);
});

test("find_duplicates answers twenty groups unless asked for another number, and its cursor leads to the rest", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const pairs = Array.from({ length: 42 }, (_, i) => ({ email: `p${i % 21}@kiosk.example` }));
  await addLeads(the, pairs);
  const first = await caller.call("find_duplicates");
  assert.deepEqual([first.count, (first.groups as unknown[]).length], [20, 20]);
  const { count, next_cursor: next } = await caller.call("find_duplicates", { cursor: first.next_cursor });
  assert.deepEqual([count, next], [1, undefined]);
});

test("export_leads makes a file and links to the resource that holds it", async () => {
  await using the = await world({ alone: true });
  const caller = await Caller.in(the);
  await addLead(the, { name: "Nadia", status: "won" });
  await addLead(the, { name: "Tom", status: "lost" });
  const args = { filter: when("status", "eq", "won"), format: "csv", columns: ["name"] };
  const { content } = await caller.assistant.call("export_leads", args);
  const link = content[1] as unknown as { type: string; uri: string };
  assert.equal(link.type, "resource_link");
  const answer = await caller.call("export_leads", args);
  assert.equal(answer.uri, `leads://exports/${answer.export_id}`);
  const { state, done } = await endedExport(await the.key(), String(answer.export_id));
  assert.deepEqual([state, done], ["done", 1]);
  assert.match(link.uri, /^leads:\/\/exports\/exp_/);
  assert.match((await caller.failure("export_leads", { columns: ["nope"] })).why, /nope/);
  const audited = await the.sql<{ n: number }>(
    "SELECT count(*)::int n FROM audit WHERE action = 'leads.exported'",
  );
  assert.equal(audited[0]?.n, 2);
});
