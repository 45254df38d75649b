import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual, promisify } from "node:util";
import { keeper, make } from "../../datasets/support/dataset.ts";
import { fetchPackage } from "../../packages/fetch-package.ts";
import { world } from "../../world.ts";
import { addLead } from "../support/assistant.ts";
import { Caller, partsOf } from "../support/using.ts";

const READING = [
  ...["export_leads", "fetch", "find_duplicates", "get_context", "get_lead", "get_lead_timeline"],
  ...["list_datasets", "query_leads", "read_dataset", "search", "summarize_leads"],
];
const WRITING = [
  ...["add_lead_event", "bulk_update_leads", "create_lead", "delete_lead", "update_lead", "write_dataset"],
];
/** Repeated, they add another record. */
const ADDING = ["add_lead_event", "create_lead", "write_dataset"];

test("tools are those of the contract: reading ones for a reader, writing ones too for a writer", async () => {
  await using the = await world();
  const names = async (scopes: string[]) => [...(await Caller.in(the, { scopes })).tools.keys()].sort();
  assert.deepEqual(await names(["mcp:read"]), READING);
  assert.deepEqual(await names(["mcp:read", "mcp:write"]), [...READING, ...WRITING].sort());
});

test("every tool is described without orders, every part of its schemas too, without a union of types", async () => {
  await using the = await world();
  const { tools } = await Caller.in(the);
  for (const { name, title, description, inputSchema, outputSchema, annotations } of tools.values()) {
    assert.ok(name.length <= 21 && title !== "" && description.length > 40, name);
    assert.doesNotMatch(description, /\b(must|always|never|do not|important|you)\b/i, name);
    const { readOnlyHint, destructiveHint, openWorldHint, idempotentHint } = annotations;
    assert.equal(readOnlyHint, READING.includes(name), name);
    assert.equal(typeof destructiveHint, "boolean");
    assert.equal(idempotentHint, !ADDING.includes(name), `${name} may be called again, or not`);
    assert.equal(openWorldHint, false);
    if (readOnlyHint === true) assert.equal(destructiveHint, false);
    for (const schema of [inputSchema, outputSchema]) {
      assert.equal(schema.type, "object");
      assert.doesNotMatch(JSON.stringify(schema), /"(anyOf|oneOf|allOf|not|\$ref|const)":|"type":\[/, name);
      for (const [path, part] of partsOf(schema)) {
        const isNamed = path.endsWith("[]") || path === "$";
        assert.ok(isNamed || (part.description ?? "") !== "", `${name} ${path} is not described`);
      }
    }
    assert.equal(inputSchema.additionalProperties, false, `${name} takes what it does not know`);
  }
});

test("as many columns to sort by as a tool's schema allows are taken, and no more", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const keys = ["a", "b", "c", "d"];
  await make(await keeper(the), { key: "things", columns: keys.map((key) => ({ key, type: "text" })) });
  const fields = ["name", "status", "city", "score"];
  for (const [tool, args, sorted] of [
    ["query_leads", {}, fields],
    ["export_leads", {}, fields],
    ["read_dataset", { dataset: "things" }, keys],
  ] as const) {
    const { sort: described } = caller.tools.get(tool)?.inputSchema.properties ?? {};
    const { maxItems } = described as { maxItems: number };
    const sort = sorted.map((field) => ({ field }));
    await caller.call(tool, { ...args, sort: sort.slice(0, maxItems) });
    const { details } = await caller.failure(tool, { ...args, sort: sort.slice(0, maxItems + 1) });
    assert.equal(details?.[0]?.path, "$.sort", tool);
  }
});

test("a tool is said to be repeatable if the same call changes nothing the second time, and only then", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const [id, gone] = [await addLead(the, { name: "Ana" }), await addLead(the, { name: "Bo" })];
  await make(await keeper(the), { key: "things", columns: [{ key: "a", type: "text" }] });
  const calls: Record<string, object> = {
    create_lead: { lead: { name: "Cy" } },
    update_lead: { id, expected_version: 1, set: { city: "Lisbon" } },
    add_lead_event: { id, type: "note.added", data: { text: "Called back" } },
    bulk_update_leads: {
      search: "Ana",
      action: "add_tags",
      tags: ["seen"],
      dry_run: false,
      expected_count: 1,
    },
    delete_lead: { id: gone, expected_version: 1, confirm: true },
    write_dataset: { dataset: "things", mode: "insert", rows: [{ a: "x" }] },
  };
  assert.deepEqual(Object.keys(calls).sort(), WRITING);
  const stored = () =>
    the.sql(
      `SELECT (SELECT count(*) FROM store.lead) AS leads, (SELECT sum(version) FROM store.lead) AS versions,
       (SELECT count(*) FROM store.event) AS events, (SELECT count(*) FROM store.dataset_row) AS rows`,
    );
  for (const [name, args] of Object.entries(calls)) {
    const before = await stored();
    await caller.call(name, args);
    const once = await stored();
    assert.notDeepEqual(once, before, name);
    await caller.assistant.call(name, args);
    const isSame = isDeepStrictEqual(await stored(), once);
    assert.equal(caller.tools.get(name)?.annotations.idempotentHint, isSame, name);
  }
});

const inspector = await fetchPackage("inspector", "@modelcontextprotocol/inspector");

test("the inspector finds no problem in the schemas", { skip: inspector.skip }, async () => {
  await using the = await world();
  const { assistant } = await Caller.in(the);
  const home = mkdtempSync(join(tmpdir(), "inspector-"));
  const { stdout, stderr } = await promisify(execFile)(
    join(inspector.folder, "../../.bin/mcp-inspector"),
    [
      ...["--cli", assistant.url, "--transport", "http", "--method", "tools/list", "--strict"],
      ...["--header", `Authorization: Bearer ${assistant.token}`],
    ],
    { env: { ...process.env, HOME: home }, timeout: 60_000, maxBuffer: 10_000_000 },
  );
  assert.equal((JSON.parse(stdout) as { tools: unknown[] }).tools.length, READING.length + WRITING.length);
  assert.doesNotMatch(stderr, /Error: tool|Warning: tool/);
});
