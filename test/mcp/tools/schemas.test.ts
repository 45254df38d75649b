import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { keeper, make } from "../../datasets/support/dataset.ts";
import { fetchPackage } from "../../packages/fetch-package.ts";
import { world } from "../../world.ts";
import { Assistant, answerOf } from "../support/assistant.ts";
import { DESTRUCTIVE, LISTED, WRITING } from "../support/every-use.ts";
import { Caller } from "../support/using.ts";

/** Needs only the permission to read, and makes a file. */
const EXPORTING = ["export_leads"];
const LISTED_WRITING = LISTED.filter((name) => WRITING.includes(name));
const READING = LISTED.filter((name) => !WRITING.includes(name) && !EXPORTING.includes(name));

/** The most bytes of a list of all tools, which every conversation with an assistant begins with. */
const MOST_BYTES = 14_336;

test("tools are those of the contract: reading ones for a reader, writing ones too for a writer", async () => {
  await using the = await world();
  const names = async (scopes: string[]) => [...(await Caller.in(the, { scopes })).tools.keys()].sort();
  assert.deepEqual(await names(["mcp:read"]), [...READING, ...EXPORTING].sort());
  assert.deepEqual(
    await names(["mcp:read", "mcp:write"]),
    [...READING, ...EXPORTING, ...LISTED_WRITING].sort(),
  );
});

test("every tool is described without orders, and says whether it writes; all of them fit 14 KB", async () => {
  await using the = await world();
  const { tools, assistant } = await Caller.in(the);
  for (const { name, title, description, inputSchema, annotations } of tools.values()) {
    assert.ok(name.length <= 21 && title !== "" && description.length > 40, name);
    assert.doesNotMatch(description, /\b(must|always|never|do not|important|you)\b/i, name);
    const { readOnlyHint, destructiveHint = false, openWorldHint } = annotations;
    assert.equal(readOnlyHint, READING.includes(name), name);
    assert.equal(destructiveHint, DESTRUCTIVE.includes(name), name);
    assert.equal(openWorldHint, false);
    assert.equal(inputSchema.type, "object");
    assert.doesNotMatch(
      JSON.stringify(inputSchema),
      /"(anyOf|oneOf|allOf|not|\$ref|const|x-shown)":|"type":\[/,
      name,
    );
    const { why } = await new Caller(assistant, []).failure(name, { nonsense: 1 });
    assert.match(why, /\$\.nonsense is not a known key/, `${name} takes what it does not know`);
  }
  const list = await (await assistant.ask("tools/list")).text();
  assert.ok(Buffer.byteLength(list) <= MOST_BYTES, `${Buffer.byteLength(list)} bytes`);
});

test("the URL narrows the tools, in lists and in calls; an unknown set is refused with those there are", async () => {
  await using the = await world();
  const { assistant } = await Caller.in(the);
  const narrowed = (tools: string) => new Assistant(the, assistant.token, `?tools=${tools}`);
  const names = async (tools: string) => {
    const { result } = await answerOf(await narrowed(tools).ask("tools/list"));
    return (result.tools as { name: string }[]).map(({ name }) => name).sort();
  };
  assert.deepEqual(await names("search"), ["fetch", "search"]);
  assert.deepEqual(await names("read"), [...READING, ...EXPORTING].sort());
  assert.deepEqual(await names("search,datasets"), [
    ...["fetch", "get_context", "read_dataset", "search", "write_dataset"],
  ]);
  const refused = await answerOf(
    await narrowed("read").ask("tools/call", { name: "write_leads", arguments: {} }),
  );
  assert.match(refused.error.message, /write_leads is not among/);
  const unknown = await narrowed("all").ask("tools/list");
  assert.equal(unknown.status, 400);
  assert.match(await unknown.text(), /tools=all is not a set of tools.*default, read, leads/);
  const described = (await (await narrowed("search").send("GET")).json()) as { tools: { name: string }[] };
  assert.deepEqual(
    described.tools.map(({ name }) => name),
    ["search", "fetch"],
  );
});

test("three fields to sort by are taken, and no more", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const keys = ["a", "b", "c", "d"];
  await make(await keeper(the), { key: "things", columns: keys.map((key) => ({ key, type: "text" })) });
  const fields = ["-name", "status", "city", "score"];
  for (const [tool, args, sorted] of [
    ["find_leads", {}, fields],
    ["export_leads", {}, fields],
    ["read_dataset", { dataset: "things" }, keys],
  ] as const) {
    await caller.call(tool, { ...args, sort: sorted.slice(0, 3) });
    const { details } = await caller.failure(tool, { ...args, sort: sorted });
    assert.equal(details?.[0]?.path, "$.sort", tool);
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
  assert.equal((JSON.parse(stdout) as { tools: unknown[] }).tools.length, LISTED.length);
  assert.doesNotMatch(stderr, /Error: tool|Warning: tool/);
});
