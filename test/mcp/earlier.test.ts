import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../oauth/support/application.ts";
import { world } from "../world.ts";
import { Assistant, answerOf, codeOf, type RpcAnswer } from "./support/assistant.ts";

const initialize = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});

test("each earlier revision is initialized in its own version, without a session", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  for (const version of ["2025-11-25", "2025-06-18", "2025-03-26"]) {
    const answer = await assistant.askEarlier("initialize", initialize(version));
    const { result } = await answerOf(answer);
    assert.equal(result.protocolVersion, version);
    assert.equal((result.serverInfo as { name: string }).name, "leadgate");
    assert.deepEqual(result.capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} });
    assert.equal(answer.headers.get("mcp-session-id"), null);
    const list = await assistant.askEarlier("tools/list", {}, { "MCP-Protocol-Version": version });
    const listed = (await answerOf(list)).result;
    assert.ok((listed.tools as object[]).length > 1);
    assert.equal(listed.resultType, undefined, "later vocabulary is not sent to earlier clients");
  }
  const { result } = await answerOf(await assistant.askEarlier("initialize", initialize("2024-11-05")));
  assert.equal(result.protocolVersion, "2025-11-25");
});

test("a ping is answered, a notification is 202 without a body, an unknown method is an error in 200", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  assert.deepEqual((await answerOf(await assistant.askEarlier("ping"))).result, {});
  const taken = await assistant.post({ jsonrpc: "2.0", method: "notifications/initialized" });
  assert.deepEqual([taken.status, await taken.text()], [202, ""]);
  assert.equal((await assistant.post({ jsonrpc: "2.0", id: 3, result: {} })).status, 202);
  assert.deepEqual(await codeOf(await assistant.askEarlier("logging/setLevel")), [200, -32_601]);
  assert.deepEqual(
    await codeOf(await assistant.askEarlier("tools/call", { name: "nothing" })),
    [200, -32_602],
  );
});

test("batches are answered only in 2025-03-26", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
  const note = { jsonrpc: "2.0", method: "notifications/initialized" };
  const answer = await assistant.post([
    ping(1),
    note,
    { jsonrpc: "2.0", id: 2, method: "nothing" },
    ping(3),
    4,
  ]);
  const answers = (await bodyOf(answer)) as unknown as { id: unknown; error?: { code: number } }[];
  assert.deepEqual(
    answers.map(({ id, error }) => [id, error?.code]),
    [
      [1, undefined],
      [2, -32_601],
      [3, undefined],
      [null, -32_600],
    ],
  );
  assert.equal((await assistant.post([note])).status, 202);
  for (const batch of [
    [],
    [{ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize("2025-03-26") }],
  ]) {
    assert.deepEqual(await codeOf(await assistant.post(batch)), [400, -32_600]);
  }
  const later = await assistant.post([ping(1)], { "MCP-Protocol-Version": "2025-06-18" });
  assert.deepEqual(await codeOf(later), [400, -32_600]);
});

test("a batch that has called a tool is answered, whatever refuses a later message: it must not be repeated", async () => {
  await using the = await world({ alone: true });
  const assistant = await Assistant.authorized(the, { scopes: ["mcp:write"] });
  const create = {
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name: "create_lead", arguments: { lead: { name: "Once" } } },
  };
  const list = { jsonrpc: "2.0", id: 2, method: "resources/read", params: { uri: "leads://schema" } };
  assert.equal((await assistant.post([list, create])).status, 403, "nothing was done");
  assert.deepEqual(await the.sql("SELECT FROM store.lead"), []);
  const answer = await assistant.post([create, list]);
  assert.equal(answer.status, 200);
  const [made, refused] = (await bodyOf(answer)) as unknown as RpcAnswer[];
  assert.equal(made?.result.isError, undefined);
  assert.deepEqual([refused?.id, refused?.error.data.code], [2, "insufficient_scope"]);
});

test("what is not a message is refused with the reason", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  assert.deepEqual(await codeOf(await assistant.post("{no json")), [400, -32_700]);
  for (const wrong of [
    5,
    "null",
    {},
    { jsonrpc: "1.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", id: null, method: "ping" },
  ]) {
    assert.deepEqual(await codeOf(await assistant.post(wrong)), [400, -32_600], JSON.stringify(wrong));
  }
  const form = await assistant.post("a=1", { "Content-Type": "application/x-www-form-urlencoded" });
  assert.equal(form.status, 415);
  const huge = await assistant.post({
    jsonrpc: "2.0",
    id: 1,
    method: "ping",
    params: { x: "x".repeat(1_100_000) },
  });
  assert.equal(huge.status, 413);
  assert.equal((await assistant.askEarlier("ping", { x: "x".repeat(900_000) })).status, 200);
});
