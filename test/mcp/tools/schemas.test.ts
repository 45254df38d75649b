import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { world } from "../../world.ts";
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

test("the inspector finds no problem in the schemas", async () => {
  await using the = await world();
  const { assistant } = await Caller.in(the);
  const home = mkdtempSync(join(tmpdir(), "inspector-"));
  const { stdout, stderr } = await promisify(execFile)(
    "node_modules/.bin/mcp-inspector",
    [
      ...["--cli", assistant.url, "--transport", "http", "--method", "tools/list", "--strict"],
      ...["--header", `Authorization: Bearer ${assistant.token}`],
    ],
    { env: { ...process.env, HOME: home }, timeout: 60_000, maxBuffer: 10_000_000 },
  );
  assert.equal((JSON.parse(stdout) as { tools: unknown[] }).tools.length, READING.length + WRITING.length);
  assert.doesNotMatch(stderr, /Error: tool|Warning: tool/);
});
