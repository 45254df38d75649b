import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ProgressSchema } from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, McpServer as SecondServer } from "@modelcontextprotocol/server";
import type { Tool } from "../../../src/surfaces/mcp/protocol/registry.ts";
import { OFFERED } from "./mcp-tools.ts";

/** Runs a tool for the holder of this token. */
export type Run = (tool: Tool, token: string, args: unknown) => Promise<object>;

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

type Schema = typeof ProgressSchema;

/** The zod that the SDK depends on. */
const { fromJSONSchema } = createRequire(import.meta.resolve("@modelcontextprotocol/sdk/server/mcp.js"))(
  "zod",
) as {
  fromJSONSchema(schema: unknown): Schema;
};

const zodOf = (schema: unknown) => fromJSONSchema(JSON.parse(JSON.stringify(schema)));

/**
 * Our tools as the SDK's documentation shows, with zod schemas; made once, although its examples make them
 * for every request.
 */
const TOOLS = OFFERED.tools.map((tool) => {
  const { name, title, description, input, output } = tool;
  const annotations = { title, readOnlyHint: tool.needs.endsWith(":read"), openWorldHint: false };
  const outputSchema = output === undefined ? {} : { outputSchema: zodOf(output) };
  const config = { title, description, inputSchema: zodOf(input), ...outputSchema, annotations };
  return { name, config, tool };
});

const INFO = { name: "bench", version: "1" };

const result = (answer: object) => ({
  content: [{ type: "text" as const, text: JSON.stringify(answer) }],
  structuredContent: answer as Record<string, unknown>,
});

const tokenIn = (header: string | null | undefined): string => (header ?? "").slice("Bearer ".length);

/** `@modelcontextprotocol/sdk`, stateless, as in its examples: a server and a transport per request, JSON answers. */
export function firstSdk(run: Run): Handler {
  return async (request, response) => {
    const server = new McpServer(INFO);
    const token = tokenIn(request.headers.authorization);
    for (const { name, config, tool } of TOOLS) {
      server.registerTool(name, config, async (args: unknown) => result(await run(tool, token, args)));
    }
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on("close", () => void transport.close().then(() => server.close()));
    await server.connect(transport as Transport);
    await transport.handleRequest(request, response);
  };
}

/**
 * `createMcpHandler` of `@modelcontextprotocol/server`, behind a bridge from Node's requests that does less
 * than its `toNodeHandler`.
 */
export function secondSdk(run: Run): Handler {
  const handler = createMcpHandler(({ requestInfo }) => {
    const server = new SecondServer(INFO);
    const token = tokenIn(requestInfo?.headers.get("authorization"));
    for (const { name, config, tool } of TOOLS) {
      server.registerTool(name, config, async (args: unknown) => result(await run(tool, token, args)));
    }
    return server;
  });
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = new Request("http://localhost/mcp", {
      method: "POST",
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks),
    });
    const answer = await handler.fetch(asked);
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, {
      ...Object.fromEntries(answer.headers),
      "content-length": body.length,
    });
    response.end(body);
  };
}
