import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { freePort } from "../../world.ts";

/** A load balancer: every request goes to another instance than the one before. */
export interface Balancer extends AsyncDisposable {
  url: string;
  /** The ports of the instances that get requests. */
  ports: string[];
}

export async function balancer(): Promise<Balancer> {
  const port = await freePort();
  const ports: string[] = [];
  const forward = (asked: IncomingMessage, answer: ServerResponse): void => {
    const next = ports.shift() ?? "";
    ports.push(next);
    const { method, url, headers } = asked;
    const on = { host: "127.0.0.1", port: next, method, path: url, headers, agent: false };
    const passed = request(on, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.on("error", () => answer.writeHead(502).end());
    asked.pipe(passed);
  };
  const server = createServer(forward);
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  return {
    url: `http://localhost:${port}`,
    ports,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
