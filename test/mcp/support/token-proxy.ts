import { createServer, request } from "node:http";
import { freePort } from "../../world.ts";

/** Starts a proxy that adds an access token, for programs that cannot be given one. */
export async function tokenProxy(url: string, token: string): Promise<AsyncDisposable & { url: string }> {
  const target = new URL(url);
  const server = createServer((asked, answer) => {
    // Host and Origin stay unchanged: the server behind the proxy checks them against rebinding.
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const { hostname, port, pathname: path } = target;
    const passed = request({ hostname, port, path, method: asked.method, headers }, (heard) => {
      answer.writeHead(heard.statusCode ?? 502, heard.headers);
      heard.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
