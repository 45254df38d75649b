import assert from "node:assert/strict";
import { test } from "node:test";
import { FULL, filled } from "../../api/support/two-projects.ts";
import { roundTrips } from "../../round-trip-count.ts";
import { world } from "../../world.ts";
import { Assistant, addLead } from "../support/assistant.ts";
import { Caller, when } from "../support/using.ts";

test("tools cost the round trips that their files say", async () => {
  await using the = await world();
  const { assistant } = await Caller.in(the);
  const id = await addLead(the, { name: "Nadia", email: "nadia@example.org" });
  await addLead(the, { name: "N.", email: "nadia@example.org" });
  const key = await the.key(FULL);
  await key.send("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" });
  await key.send("POST", "/api/v1/datasets", {
    key: "notes",
    columns: [{ key: "code", type: "text", required: true, unique: true }],
    key_column: "code",
  });
  const rows = { dataset: "notes", mode: "upsert", rows: [{ code: "a" }] };
  const bulk = { search: "nadia", action: "set", set: { score: 1 } };
  const cost: [string, object, number][] = [
    ["get_context", {}, 4],
    ["query_leads", { filter: when("name", "eq", "Nadia") }, 1],
    ["query_leads", { filter: when("custom.plan", "is_empty") }, 2],
    ["query_leads", { filter: when("event.call.made", "is_empty") }, 2],
    ["get_lead", { id }, 1],
    ["get_lead_timeline", { id }, 1],
    ["summarize_leads", {}, 1],
    ["find_duplicates", { id }, 2],
    ["find_duplicates", {}, 2],
    ["list_datasets", {}, 2],
    ["read_dataset", { dataset: "notes" }, 3],
    ["search", { query: "nadia" }, 1],
    ["fetch", { id }, 2],
    ["create_lead", { lead: { email: "b@example.org" }, on_duplicate: "return" }, 5],
    ["create_lead", { lead: { email: "b@example.org" }, on_duplicate: "update" }, 5],
    ["update_lead", { id, set: { score: 2 } }, 1],
    ["add_lead_event", { id, type: "note.added" }, 1],
    ["bulk_update_leads", bulk, 7],
    ["bulk_update_leads", { ...bulk, dry_run: false, expected_count: 2 }, 5],
    ["write_dataset", rows, 6],
    ["delete_lead", { id, confirm: true }, 2],
  ];
  await assistant.call("query_leads");
  const during = roundTrips(the);
  const seen: [string, number][] = [];
  for (const [name, args] of cost) {
    const [status, trips] = await during(() => assistant.ask("tools/call", { name, arguments: args }));
    assert.equal(status, 200);
    seen.push([name, trips]);
  }
  assert.deepEqual(
    seen,
    cost.map(([name, , trips]) => [name, trips]),
  );
});

test("resources, prompts and completions cost the round trips that docs/architecture.md says", async () => {
  await using the = await world();
  const { ids } = await filled(the, "alder");
  await the.join(the.person, ids.project, "owner");
  const assistant = await Assistant.authorized(the, { projectId: ids.project });
  const read = (uri: string): Ask => ["resources/read", { uri }, { "Mcp-Name": uri }];
  const prompt = (name: string, args: object): Ask => ["prompts/get", { name, arguments: args }];
  const complete = (ref: object, name: string): Ask => [
    "completion/complete",
    { ref, argument: { name, value: "" } },
  ];
  const cost: [Ask, number][] = [
    [read("leads://project"), 1],
    [read("leads://schema"), 2],
    [read("leads://filters"), 1],
    [read("leads://limits"), 1],
    [read(`leads://filters/${ids.view}`), 1],
    [read(`leads://leads/${ids.lead}`), 1],
    [read(`leads://leads/${ids.lead}/timeline`), 1],
    [read(`leads://datasets/${ids.dataset}`), 4],
    [read(`leads://exports/${ids.export}`), 1],
    [prompt("qualify_lead", { lead_id: ids.lead }), 6],
    [prompt("pipeline_review", {}), 5],
    [complete({ type: "ref/resource", uri: "leads://leads/{lead_id}" }, "lead_id"), 1],
    [complete({ type: "ref/prompt", name: "qualify_lead" }, "lead_id"), 1],
    [complete({ type: "ref/prompt", name: "daily_brief" }, "days"), 1],
  ];
  for (const [ask] of cost) await assistant.ask(...ask);
  const during = roundTrips(the);
  const seen: [Ask, number][] = [];
  for (const [ask] of cost) {
    const [status, trips] = await during(() => assistant.ask(...ask));
    assert.equal(status, 200);
    seen.push([ask, trips]);
  }
  assert.deepEqual(seen, cost);
});

type Ask = Parameters<Assistant["ask"]>;
