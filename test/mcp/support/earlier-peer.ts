import { createServer } from "node:http";
import { completable } from "@modelcontextprotocol/sdk/server/completable.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ImplementationSchema } from "@modelcontextprotocol/sdk/types.js";
import { freePort } from "../../world.ts";

const words = (text: string) => ({ type: "text" as const, text });
const user = (text: string) => ({ messages: [{ role: "user" as const, content: words(text) }] });

/** A string in the SDK's own schemas. */
const text = ImplementationSchema.shape.name;
const word = completable(text, (typed) =>
  ["paris", "park", "party"].filter((each) => each.startsWith(typed)),
);

/** Returns the compared part of the fixtures, on the SDK's first server. */
function peer(): McpServer {
  const server = new McpServer({ name: "fixtures", version: "1" }, { instructions: "For tests." });
  server.registerTool("test_simple_text", { description: "x" }, async () => ({
    content: [words("This is a simple text response for testing.")],
  }));
  server.registerTool(
    "test_headers",
    { description: "x", inputSchema: { region: text.optional() } },
    async (args) => ({ content: [words(JSON.stringify(args))], structuredContent: args }),
  );
  server.registerTool("test_throws", { description: "x" }, async () => {
    throw new Error("a secret of the inside");
  });
  const read = async (uri: URL) => ({ contents: [{ uri: uri.href, text: "x" }] });
  server.registerResource("static-text", "test://static-text", {}, read);
  const complete = { id: (typed: string) => ["123", "124", "200"].filter((id) => id.startsWith(typed)) };
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined, complete });
  server.registerResource("template", template, {}, read);
  server.registerPrompt("test_simple_prompt", { description: "x" }, async () => user("x"));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description: "x", argsSchema: { arg1: word, arg2: text } },
    async ({ arg1, arg2 }) => user(`${arg1} ${arg2}`),
  );
  return server;
}

/** Serves it like the SDK's examples without sessions: a server and a transport per request. */
export async function earlierPeer(): Promise<AsyncDisposable & { url: string }> {
  const listener = createServer(async (request, response) => {
    const server = peer();
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on("close", () => void transport.close().then(() => server.close()));
    await server.connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => listener.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
