import assert from "node:assert/strict";
import { test } from "node:test";
import { createMcpHandler, fromJsonSchema, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { world } from "../world.ts";
import { shapeOf } from "./support/answer-shape.ts";
import { Assistant, META } from "./support/assistant.ts";
import { fixtureServer } from "./support/fixture-server.ts";

/** The compared part of the fixtures, on the SDK's second server. */
const peer = createMcpHandler(() => {
  const server = new McpServer({ name: "fixtures", version: "1" }, { instructions: "For tests." });
  const nothing = fromJsonSchema({ type: "object" });
  server.registerTool("test_simple_text", { description: "x", inputSchema: nothing }, async () => ({
    content: [{ type: "text", text: "This is a simple text response for testing." }],
  }));
  server.registerTool(
    "test_headers",
    {
      description: "x",
      inputSchema: fromJsonSchema({
        type: "object",
        properties: { region: { type: "string", "x-mcp-header": "Region" } as never },
      }),
    },
    async (args) => ({
      content: [{ type: "text", text: JSON.stringify(args) }],
      structuredContent: args as Record<string, unknown>,
    }),
  );
  server.registerResource("static-text", "test://static-text", {}, async (uri) => ({
    contents: [{ uri: uri.href, text: "This is the content of the static text resource." }],
  }));
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, {}, async (uri) => ({
    contents: [{ uri: uri.href, text: "x" }],
  }));
  server.registerPrompt("test_simple_prompt", { description: "x" }, async () => ({
    messages: [{ role: "user", content: { type: "text", text: "x" } }],
  }));
  return server;
});

interface Case {
  body: unknown;
  headers?: Record<string, string | undefined>;
}

const VERSION = "2026-07-28";

/** Returns a complete 2026-07-28 message, except for what a case changes. */
function modern(method: string, params: Record<string, unknown> = {}, change: Partial<Case> = {}): Case {
  const name = params.name ?? (method === "resources/read" ? params.uri : undefined);
  return {
    body: change.body ?? { jsonrpc: "2.0", id: 7, method, params: { _meta: META, ...params } },
    headers: {
      "MCP-Protocol-Version": VERSION,
      "Mcp-Method": method,
      ...(typeof name === "string" ? { "Mcp-Name": name } : {}),
      ...change.headers,
    },
  };
}

const earlier = (method: string, params?: object, headers = {}): Case => ({
  body: { jsonrpc: "2.0", id: 7, method, ...(params === undefined ? {} : { params }) },
  headers,
});

const initialize = (protocolVersion: unknown, more: object = {}) =>
  earlier("initialize", {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
    ...more,
  });

const call = { name: "test_simple_text", arguments: {} };
const meta = (change: object) => ({ _meta: { ...META, ...change } });
const KEY = "io.modelcontextprotocol/protocolVersion";

const CASES: Record<string, Case> = {
  discover: modern("server/discover"),
  "list of tools": modern("tools/list"),
  "list of resources": modern("resources/list"),
  "list of templates": modern("resources/templates/list"),
  "list of prompts": modern("prompts/list"),
  "a call": modern("tools/call", call),
  "a call without arguments": modern("tools/call", { name: "test_simple_text" }),
  "a marked argument": modern(
    "tools/call",
    { name: "test_headers", arguments: { region: "a" } },
    { headers: { "Mcp-Param-Region": "a" } },
  ),
  "a marked argument without its header": modern("tools/call", {
    name: "test_headers",
    arguments: { region: "a" },
  }),
  "arguments that do not fit": modern(
    "tools/call",
    { name: "test_headers", arguments: { region: 5 } },
    { headers: { "Mcp-Param-Region": "5" } },
  ),
  "a resource": modern("resources/read", { uri: "test://static-text" }),
  "a resource of a template": modern("resources/read", { uri: "test://template/1/data" }),
  "no resource": modern("resources/read", { uri: "test://nowhere" }),
  "a prompt": modern("prompts/get", { name: "test_simple_prompt" }),
  "no prompt": modern("prompts/get", { name: "none" }),
  "no tool": modern("tools/call", { name: "none", arguments: {} }),
  "no name": modern("tools/call", { arguments: {} }),
  "arguments that are a list": modern("tools/call", { name: "test_simple_text", arguments: [] }),
  "no method": modern("nothing/here"),
  "a removed method": modern("ping"),
  "initialize with an envelope": modern("initialize", { protocolVersion: VERSION }),
  "no envelope": modern("tools/list", { _meta: undefined }),
  "no version": modern("tools/list", meta({ [KEY]: undefined })),
  "no capabilities": modern("tools/list", meta({ "io.modelcontextprotocol/clientCapabilities": undefined })),
  "capabilities that are a list": modern(
    "tools/list",
    meta({ "io.modelcontextprotocol/clientCapabilities": [] }),
  ),
  "an unknown version": modern("tools/list", meta({ [KEY]: "2031-01-01" }), {
    headers: { "MCP-Protocol-Version": "2031-01-01" },
  }),
  "an unknown version in the body alone": modern("tools/list", meta({ [KEY]: "2031-01-01" })),
  "no version header": modern("tools/list", {}, { headers: { "MCP-Protocol-Version": undefined } }),
  "another version header": modern("tools/list", {}, { headers: { "MCP-Protocol-Version": "2025-11-25" } }),
  "no method header": modern("tools/list", {}, { headers: { "Mcp-Method": undefined } }),
  "another method header": modern("tools/list", {}, { headers: { "Mcp-Method": "tools/call" } }),
  "no name header": modern("tools/call", call, { headers: { "Mcp-Name": undefined } }),
  "another name header": modern("tools/call", call, { headers: { "Mcp-Name": "other" } }),
  "an encoded name header": modern("tools/call", call, {
    headers: { "Mcp-Name": `=?base64?${Buffer.from(call.name).toString("base64")}?=` },
  }),
  "a badly encoded name header": modern("tools/call", call, { headers: { "Mcp-Name": "=?base64?dGV?=" } }),
  "a notification": modern(
    "notifications/cancelled",
    {},
    { body: { jsonrpc: "2.0", method: "notifications/cancelled" } },
  ),
  "a response": modern("", {}, { body: { jsonrpc: "2.0", id: 7, result: {} } }),
  "a batch": modern(
    "",
    {},
    { body: [{ jsonrpc: "2.0", id: 7, method: "tools/list", params: { _meta: META } }] },
  ),
  "a foreign type": modern("tools/list", {}, { headers: { "Content-Type": "text/plain" } }),
  "no filter": modern("subscriptions/listen"),
  "not JSON": { body: "{nothing" },
  "an empty body": { body: "" },
  "a number": { body: 5 },
  "another JSON-RPC": { body: { jsonrpc: "1.0", id: 1, method: "ping" } },
  "an id of null": { body: { jsonrpc: "2.0", id: null, method: "ping" } },
  "an id that is an object": { body: { jsonrpc: "2.0", id: {}, method: "ping" } },
  "params that are a list": { body: { jsonrpc: "2.0", id: 1, method: "ping", params: [] } },
  "an empty batch": { body: [] },
  "earlier: initialize": initialize("2025-11-25"),
  "earlier: initialize of 2025-03-26": initialize("2025-03-26"),
  "earlier: initialize of the future": initialize("2031-01-01"),
  "earlier: initialize without a version": initialize(undefined),
  "earlier: ping": earlier("ping"),
  "earlier: a list": earlier("tools/list", {}, { "MCP-Protocol-Version": "2025-11-25" }),
  "earlier: a call": earlier("tools/call", call),
  "earlier: no tool": earlier("tools/call", { name: "none", arguments: {} }),
  "earlier: no resource": earlier("resources/read", { uri: "test://nowhere" }),
  "earlier: no prompt": earlier("prompts/get", { name: "none" }),
  "earlier: no method": earlier("nothing/here"),
  "earlier: an unknown version header": earlier("tools/list", {}, { "MCP-Protocol-Version": "1900-01-01" }),
  "earlier: a notification": { body: { jsonrpc: "2.0", method: "notifications/initialized" } },
  "earlier: a response": { body: { jsonrpc: "2.0", id: 7, result: {} } },
};

/** Deliberate differences from the SDK, with the sentence of the specification that decides. */
const DIFFERENCES: Record<string, string> = {
  "a response":
    "2026-07-28, Streamable HTTP, sending messages 4: the client MUST NOT send JSON-RPC responses. The SDK takes it for one of an earlier revision, whatever its header says.",
  "a foreign type":
    "2026-07-28, Overview, error codes: new implementations SHOULD NOT use codes from -32000 to -32019. Both answer 415.",
  "earlier: an unknown version header":
    "2026-07-28, Streamable HTTP, protocol version header: it MUST respond with 400 and an UnsupportedProtocolVersionError listing its supported versions.",
  "earlier: initialize without a version":
    "JSON-RPC 2.0, 5.1: -32602 is for invalid method parameters, -32603 for an internal error of the server.",
  "earlier: no resource": "2025-11-25, Resources, error handling: resource not found is -32002.",
};

test("the SDK's server answers the same to the same messages, but for what the specification decides", async () => {
  await using the = await world();
  await using server = await fixtureServer(the, (registry) => {
    const tools = registry.tools.filter(({ name }) => /^test_(simple_text|headers)$/.test(name));
    return { ...registry, tools };
  });
  const { token } = await Assistant.authorized(the);
  const differences: Record<string, unknown> = {};
  for (const [name, { body, headers = {} }] of Object.entries(CASES)) {
    const sent = Object.entries({
      Authorization: `Bearer ${token}`,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
      ...headers,
    }).filter((header): header is [string, string] => header[1] !== undefined);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const ask = { method: "POST", headers: sent, body: text };
    const ours = await shapeOf(await fetch(server.url, ask));
    const theirs = await shapeOf(await peer.fetch(new Request(server.url, ask)));
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) differences[name] = { ours, theirs };
  }
  const unexplained = Object.entries(differences).filter(([name]) => DIFFERENCES[name] === undefined);
  assert.deepEqual(Object.fromEntries(unexplained), {});
  assert.deepEqual(
    Object.keys(DIFFERENCES).filter((name) => !(name in differences)),
    [],
    "no longer different",
  );
});
