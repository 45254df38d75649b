import assert from "node:assert/strict";
import { test } from "node:test";
import { type World, world } from "../../world.ts";
import { addLead } from "../support/assistant.ts";
import { type Answer, Caller, when } from "../support/using.ts";

type Warnings = { path: string; code: string; message: string }[];

async function addEvents(the: World, lead: string, types: readonly string[]): Promise<void> {
  for (const [n, type] of types.entries())
    await the.sql(
      `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title) VALUES ($1, $2, $3, $4, now(), $4)`,
      [the.project.id, `evt_${n}`, lead, type],
    );
}

test("an assistant's value is compared without case, and one that is no option is refused with what to send instead", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  await addLead(the, { status: "won", name: "Nadia" });
  const found = await caller.call("query_leads", { filter: when("status", "eq", "Won") });
  assert.deepEqual([found.count, found.warnings], [1, undefined]);
  const wrong = { filter: when("status", "in", ["new", "wonn"]) };
  const tools: [name: string, args: object][] = [
    ["query_leads", wrong],
    ["summarize_leads", wrong],
    ["export_leads", wrong],
    ["bulk_update_leads", { ...wrong, action: "add_tags", tags: ["a"] }],
  ];
  for (const [name, args] of tools) {
    const { why, details } = await caller.failure(name, args);
    assert.match(why, /"wonn" is not an option of status; the options are "won", /, name);
    assert.deepEqual(
      details?.map(({ path, code }) => [path, code]),
      [["$.filter.any[0].all[0].value[1]", "unknown_option"]],
      name,
    );
  }
});

test("an assistant is warned of an event type that never happened, in the answer and each call for itself", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  await addEvents(the, await addLead(the, { name: "Nadia" }), ["email.opened", "email.sent"]);
  const of = (type: string): Promise<Answer> =>
    caller.call("query_leads", { filter: when(`event.${type}`, "is_not_empty") });
  assert.equal((await of("email.opened")).warnings, undefined);
  const { count, warnings, untrusted_content: untrusted } = await of("email_opened");
  const [warning, ...others] = warnings as Warnings;
  assert.deepEqual([count, others, untrusted], [0, [], ["leads", "warnings"]]);
  assert.equal(warning?.path, "$.filter.any[0].all[0].field");
  assert.match(
    warning?.message ?? "",
    /"email_opened"; the nearest types are "email\.opened", "email\.sent"/,
  );
  const never = { filter: when("event.email_opened", "is_empty") };
  for (const name of ["summarize_leads", "export_leads"])
    assert.equal(((await caller.call(name, never)).warnings as Warnings).length, 1, name);

  const batch = [1, 2].map((id) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "query_leads", arguments: id === 1 ? never : {} },
  }));
  const answer = await caller.assistant.post(batch, { "MCP-Protocol-Version": "2025-03-26" });
  const results = (await answer.json()) as { result: { structuredContent: Answer } }[];
  assert.deepEqual(
    results.map(({ result }) => result.structuredContent.warnings !== undefined),
    [true, false],
  );
});

test("an assistant that uses a saved view whose option was removed gets an answer and a warning", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  await the.sql(
    "INSERT INTO store.saved_view (project_id, id, name, query) VALUES ($1, 'view_1', 'Old', $2)",
    [the.project.id, JSON.stringify({ filter: { field: "status", op: "eq", value: "gone" } })],
  );
  const { count, warnings } = await caller.call("query_leads", { view: "view_1" });
  assert.equal(count, 0);
  assert.match(
    (warnings as Warnings)[0]?.message ?? "",
    /"gone" is not an option of status \(in the view "Old"\)/,
  );
  assert.equal((warnings as Warnings)[0]?.path, "$.view");
});

test("cells of a dataset's column with options are compared without case, and other values are refused", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const key = await the.key(["datasets:read", "datasets:write", "datasets:import"]);
  const columns = [{ key: "plan", type: "enum", options: ["Gold", "Silver"] }];
  const made = await key.send("POST", "/api/v1/datasets", { key: "plans", name: "Plans", columns });
  assert.equal(made.status, 201, await made.text());
  await caller.call("write_dataset", { dataset: "plans", mode: "insert", rows: [{ plan: "Gold" }] });
  const read = (value: string) => ({ dataset: "plans", filter: when("plan", "eq", value) });
  assert.equal((await caller.call("read_dataset", read("gold"))).total, 1);
  const { details } = await caller.failure("read_dataset", read("glod"));
  assert.deepEqual(
    details?.map(({ path, code }) => [path, code]),
    [["$.filter.any[0].all[0].value", "unknown_option"]],
  );
  const filter = { field: "plan", op: "eq", value: "glod" };
  const rows = "/api/v1/datasets/plans";
  assert.equal((await key.send("POST", `${rows}/query`, { filter })).status, 400);
  assert.equal((await key.send("DELETE", `${rows}/rows`, { filter, expected_count: 0 })).status, 400);
  const current = await key.send("POST", "/api/datasets/plans/query/", {
    project_id: the.project.id,
    filter,
  });
  assert.equal(current.status, 200, await current.text());
  assert.match(current.headers.get("x-leadgate-warning") ?? "", /unknown_option/);
});
