import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { shapeOf } from "./support/answer-shape.ts";
import { Assistant } from "./support/assistant.ts";
import { earlierPeer } from "./support/earlier-peer.ts";
import { fixtureServer } from "./support/fixture-server.ts";

interface Case {
  method?: string;
  body?: unknown;
  headers?: Record<string, string | undefined>;
}

const VERSION = "MCP-Protocol-Version";

const ask = (method: string, params?: unknown, headers: Case["headers"] = {}): Case => ({
  body: { jsonrpc: "2.0", id: 7, method, ...(params === undefined ? {} : { params }) },
  headers: { [VERSION]: "2025-11-25", ...headers },
});

const posted = (body: unknown, headers: Case["headers"] = {}): Case => ({
  body,
  headers: { [VERSION]: "2025-11-25", ...headers },
});

/** `initialize` precedes the choice of a version, so it has no version header. */
const greet = (change: object): Case => ({
  body: {
    jsonrpc: "2.0",
    id: 7,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
      ...change,
    },
  },
});

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const PING = { jsonrpc: "2.0", id: 2, method: "ping" };
const NOTE = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
const BATCHING = { [VERSION]: "2025-03-26" };
const withArguments = { type: "ref/prompt", name: "test_prompt_with_arguments" };
const template = { type: "ref/resource", uri: "test://template/{id}/data" };

const CASES: Record<string, Case> = {
  "initialize of 2025-11-25": greet({}),
  "initialize of 2025-06-18": greet({ protocolVersion: "2025-06-18" }),
  "initialize of 2025-03-26": greet({ protocolVersion: "2025-03-26" }),
  "initialize of 2024-11-05": greet({ protocolVersion: "2024-11-05" }),
  "initialize of the future": greet({ protocolVersion: "2031-01-01" }),
  "initialize without a version": greet({ protocolVersion: undefined }),
  "initialize without capabilities": greet({ capabilities: undefined }),
  "initialize without a name": greet({ clientInfo: undefined }),
  ping: ask("ping"),
  "ping with _meta": ask("ping", { _meta: { progressToken: 1 } }),
  "ping without a version header": ask("ping", undefined, { [VERSION]: undefined }),
  "ping of 2025-06-18": ask("ping", {}, { [VERSION]: "2025-06-18" }),
  "ping of 2025-03-26": ask("ping", {}, BATCHING),
  "ping of an unknown version": ask("ping", {}, { [VERSION]: "1900-01-01" }),
  "ping of a session": ask("ping", {}, { "Mcp-Session-Id": "x" }),
  "a text as id": posted({ ...PING, id: "a" }),
  "zero as id": posted({ ...PING, id: 0 }),
  "tools/list": ask("tools/list"),
  "tools/list with params": ask("tools/list", {}),
  "tools/list with a cursor": ask("tools/list", { cursor: "x" }),
  "tools/call": ask("tools/call", { name: "test_simple_text", arguments: {} }),
  "tools/call without arguments": ask("tools/call", { name: "test_simple_text" }),
  "tools/call with structured content": ask("tools/call", {
    name: "test_headers",
    arguments: { region: "a" },
  }),
  "tools/call with arguments that do not fit": ask("tools/call", {
    name: "test_headers",
    arguments: { region: 5 },
  }),
  "tools/call that throws": ask("tools/call", { name: "test_throws", arguments: {} }),
  "tools/call of no tool": ask("tools/call", { name: "none", arguments: {} }),
  "tools/call without a name": ask("tools/call", { arguments: {} }),
  "tools/call with a list of arguments": ask("tools/call", { name: "test_simple_text", arguments: [] }),
  "tools/call without params": ask("tools/call"),
  "resources/list": ask("resources/list"),
  "resources/templates/list": ask("resources/templates/list"),
  "resources/read": ask("resources/read", { uri: "test://static-text" }),
  "resources/read of a template": ask("resources/read", { uri: "test://template/1/data" }),
  "resources/read of nothing": ask("resources/read", { uri: "test://nowhere" }),
  "resources/read without a URI": ask("resources/read", {}),
  "resources/subscribe": ask("resources/subscribe", { uri: "test://static-text" }),
  "prompts/list": ask("prompts/list"),
  "prompts/get": ask("prompts/get", { name: "test_simple_prompt" }),
  "prompts/get with arguments": ask("prompts/get", {
    name: "test_prompt_with_arguments",
    arguments: { arg1: "a", arg2: "b" },
  }),
  "prompts/get without a required argument": ask("prompts/get", {
    name: "test_prompt_with_arguments",
    arguments: { arg1: "a" },
  }),
  "prompts/get of no prompt": ask("prompts/get", { name: "none" }),
  "prompts/get without a name": ask("prompts/get", {}),
  "completion of a prompt": ask("completion/complete", {
    ref: withArguments,
    argument: { name: "arg1", value: "par" },
  }),
  "completion of a template": ask("completion/complete", {
    ref: template,
    argument: { name: "id", value: "1" },
  }),
  "completion of no variable": ask("completion/complete", {
    ref: template,
    argument: { name: "nope", value: "1" },
  }),
  "completion of no prompt": ask("completion/complete", {
    ref: { type: "ref/prompt", name: "none" },
    argument: { name: "a", value: "" },
  }),
  "completion of no template": ask("completion/complete", {
    ref: { type: "ref/resource", uri: "test://nowhere/{x}" },
    argument: { name: "x", value: "" },
  }),
  "completion without an argument": ask("completion/complete", { ref: withArguments }),
  "logging/setLevel": ask("logging/setLevel", { level: "info" }),
  "no method": ask("nothing/here"),
  "a method of 2026-07-28": ask("server/discover"),
  "a notification": posted({ jsonrpc: "2.0", method: "notifications/initialized" }),
  "a cancellation": posted(NOTE),
  "an unknown notification": posted({ jsonrpc: "2.0", method: "notifications/none" }),
  "a response": posted({ jsonrpc: "2.0", id: 7, result: {} }),
  "an error as a response": posted({ jsonrpc: "2.0", id: 7, error: { code: 1, message: "x" } }),
  "a batch": posted([LIST, PING], BATCHING),
  "a batch of one": posted([PING], BATCHING),
  "a batch of notifications": posted([NOTE, NOTE], BATCHING),
  "a batch with a wrong message": posted([PING, 5], BATCHING),
  "a batch with initialize": posted([greet({}).body, PING], BATCHING),
  "an empty batch": posted([], BATCHING),
  "a batch of 2025-06-18": posted([PING], { [VERSION]: "2025-06-18" }),
  "not JSON": posted("{nothing"),
  "an empty body": posted(""),
  "a number": posted(5),
  "another JSON-RPC": posted({ ...PING, jsonrpc: "1.0" }),
  "an id of null": posted({ ...PING, id: null }),
  "an id that is an object": posted({ ...PING, id: {} }),
  "params that are a list": posted({ ...PING, params: [] }),
  "a foreign type": ask("ping", {}, { "Content-Type": "text/plain" }),
  "JSON with a charset": ask("ping", {}, { "Content-Type": "application/json; charset=utf-8" }),
  "an answer as JSON alone": ask("ping", {}, { Accept: "application/json" }),
  "an answer as a stream alone": ask("ping", {}, { Accept: "text/event-stream" }),
  "an answer of any type": ask("ping", {}, { Accept: "*/*" }),
  "the end of a session": { method: "DELETE", headers: { [VERSION]: "2025-11-25" } },
  "a stream": { method: "GET", headers: { [VERSION]: "2025-11-25", Accept: "text/event-stream" } },
};

const because = (sentence: string, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, sentence]));

/** Deliberate differences from the SDK, with the sentence of the specification that decides. */
const DIFFERENCES: Record<string, string> = {
  ...because(
    "JSON-RPC 2.0, 5.1: -32602 is for invalid method parameters, -32603 for an internal error of the server.",
    ...["initialize without a version", "initialize without capabilities", "initialize without a name"],
    ...["tools/call without a name", "tools/call with a list of arguments", "tools/call without params"],
    ...["resources/read without a URI", "prompts/get without a name", "completion without an argument"],
  ),
  ...because(
    "JSON-RPC 2.0, 5.1: -32700 is for invalid JSON, -32600 for JSON that is no valid request.",
    ...["a number", "another JSON-RPC", "an id of null", "an id that is an object", "params that are a list"],
  ),
  ...because(
    "RFC 9110, 12.5.1: a server that has nothing acceptable may disregard Accept. What 2025-11-25 says of it (Transports, sending messages 2) binds the client.",
    ...["an answer as JSON alone", "an answer as a stream alone", "an answer of any type"],
  ),
  "a foreign type":
    "JSON-RPC 2.0, 5.1: -32600 is for what is no valid request; -32000 says nothing. Both answer 415.",
  "ping of an unknown version":
    "2026-07-28, Streamable HTTP, protocol version header: the 400 carries UnsupportedProtocolVersionError with what is supported; 2025-11-25 names the status alone.",
  "tools/list with a cursor":
    "2025-11-25, Pagination, error handling: invalid cursors SHOULD result in an error with code -32602.",
  "tools/call of no tool":
    "2025-11-25, Tools, error handling: an unknown tool is an error of the protocol, -32602, not a tool's result.",
  "resources/read of nothing": "2025-11-25, Resources, error handling: resource not found is -32002.",
  "a batch of one": "JSON-RPC 2.0, 6: the server should respond with an Array.",
  "a batch with a wrong message":
    "JSON-RPC 2.0, 6: a wrong message in a batch is answered -32600 in its place, the others as they are.",
  "an empty batch":
    "JSON-RPC 2.0, 6: what is no Array with at least one value MUST be answered with a single Response object.",
  "a batch of 2025-06-18":
    "2025-06-18, Transports, sending messages 3: the body MUST be a single request, notification, or response.",
  "the end of a session":
    "2025-11-25, Transports, session management 5: a server that lets nobody end sessions MAY answer 405; there are none here.",
  "a stream":
    "2025-11-25, Transports, listening for messages 2: a server that offers no stream MUST answer 405; the SDK opens one that nothing ever comes from.",
};

test("the SDK's first server answers the same in the earlier revisions, but for what the specification decides", async () => {
  await using the = await world();
  await using theirs = await earlierPeer();
  await using ours = await fixtureServer(the, (registry) => {
    const tools = registry.tools.filter(({ name }) => /^test_(simple_text|headers|throws)$/.test(name));
    return { ...registry, tools };
  });
  const { token } = await Assistant.authorized(the);
  const differences: Record<string, unknown> = {};
  for (const [name, { method = "POST", body, headers = {} }] of Object.entries(CASES)) {
    const sent = Object.entries({
      Authorization: `Bearer ${token}`,
      Accept: "application/json, text/event-stream",
      ...(method === "POST" ? { "Content-Type": "application/json" } : {}),
      ...headers,
    }).filter((header): header is [string, string] => header[1] !== undefined);
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const answered = async (url: string): Promise<unknown> => {
      const stop = new AbortController();
      const ask = {
        method,
        headers: sent,
        signal: stop.signal,
        ...(text === undefined ? {} : { body: text }),
      };
      const answer = await fetch(url, ask);
      if (method !== "GET" || answer.status !== 200) return await shapeOf(answer);
      stop.abort();
      return { status: answer.status, type: answer.headers.get("content-type") };
    };
    const [mine, other] = [await answered(ours.url), await answered(theirs.url)];
    if (JSON.stringify(mine) !== JSON.stringify(other)) differences[name] = { ours: mine, theirs: other };
  }
  const unexplained = Object.entries(differences).filter(([name]) => DIFFERENCES[name] === undefined);
  assert.deepEqual(Object.fromEntries(unexplained), {});
  assert.deepEqual(
    Object.keys(DIFFERENCES).filter((name) => !(name in differences)),
    [],
    "no longer different",
  );
});
