import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { Assistant, answerOf, codeOf, META } from "./support/assistant.ts";

const base64 = (text: string) => `=?base64?${Buffer.from(text).toString("base64")}?=`;

test("2026-07-28: discover, list and call return complete results with their cache lifetime", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const { result: discovered } = await answerOf(await assistant.ask("server/discover"));
  assert.deepEqual(discovered.supportedVersions, ["2026-07-28"]);
  assert.deepEqual(discovered.capabilities, {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    extensions: { "io.modelcontextprotocol/tasks": {}, "io.modelcontextprotocol/ui": {} },
  });
  const { result: list, id } = await answerOf(await assistant.ask("tools/list"));
  assert.equal(id, 7);
  for (const { resultType, ttlMs, cacheScope } of [discovered, list]) {
    assert.deepEqual({ resultType, cacheScope }, { resultType: "complete", cacheScope: "private" });
    assert.ok(Number.isInteger(ttlMs));
  }
  assert.equal((await assistant.call("query_leads")).structuredContent.count, 0);
});

test("2026-07-28: headers must repeat the body", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const call = (headers: Record<string, string | undefined>) =>
    assistant.ask("tools/call", { name: "query_leads" }, headers);
  const wrong = [
    { "MCP-Protocol-Version": undefined },
    { "MCP-Protocol-Version": "2025-11-25" },
    { "Mcp-Method": undefined },
    { "Mcp-Method": "tools/list" },
    { "Mcp-Name": undefined },
    { "Mcp-Name": "get_lead" },
    { "Mcp-Name": base64("get_lead") },
    { "Mcp-Name": "=?base64?%%%?=" },
  ];
  for (const headers of wrong) {
    assert.deepEqual(await codeOf(await call(headers)), [400, -32_020], JSON.stringify(headers));
  }
  assert.equal((await call({ "Mcp-Name": base64("query_leads") })).status, 200);
});

test("2026-07-28: an unknown version is answered with the supported ones", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const version = "2031-01-01";
  const _meta = { ...META, "io.modelcontextprotocol/protocolVersion": version };
  const answer = await assistant.ask("tools/list", { _meta }, { "MCP-Protocol-Version": version });
  const { error } = await answerOf(answer);
  assert.deepEqual([answer.status, error.code], [400, -32_022]);
  assert.equal(error.data.requested, version);
  assert.ok((error.data.supported as string[]).includes("2026-07-28"));
  const unnamed = await assistant.askEarlier("tools/list", {}, { "MCP-Protocol-Version": "1900-01-01" });
  assert.deepEqual(await codeOf(unnamed), [400, -32_022]);
});

test("2026-07-28: a request without its _meta is refused", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const { "io.modelcontextprotocol/clientCapabilities": _, ...half } = META;
  for (const _meta of [undefined, {}, half]) {
    assert.deepEqual(await codeOf(await assistant.ask("tools/list", { _meta })), [400, -32_602]);
  }
});

test("2026-07-28: methods of other revisions and unknown ones are not found", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  for (const method of ["initialize", "ping", "logging/setLevel", "constructor", "nothing/here"]) {
    assert.deepEqual(await codeOf(await assistant.ask(method)), [404, -32_601], method);
  }
  assert.deepEqual(await codeOf(await assistant.ask("tools/call", { name: "drop_leads" })), [200, -32_602]);
  assert.deepEqual(await codeOf(await assistant.ask("tools/list", { cursor: "x" })), [200, -32_602]);
});

test("2026-07-28: notifications are accepted, batches and unsolicited responses are not", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const headers = { "MCP-Protocol-Version": "2026-07-28" };
  const note = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  const taken = await assistant.post(note, headers);
  assert.deepEqual([taken.status, await taken.text()], [202, ""]);
  assert.deepEqual(await codeOf(await assistant.post([note], headers)), [400, -32_600]);
  assert.deepEqual(
    await codeOf(await assistant.post({ jsonrpc: "2.0", id: 1, result: {} }, headers)),
    [400, -32_600],
  );
});
