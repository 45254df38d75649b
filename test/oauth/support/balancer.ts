import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { freePort } from "../../world.ts";
import { until } from "./instances.ts";

/** A load balancer: every request goes to another instance than the one before. */
export interface Balancer extends AsyncDisposable {
  url: string;
  /** Sends requests to the instance at this port too. */
  add(port: string): void;
  /** Sends it no more requests; resolves when those that it has are answered. */
  remove(port: string): Promise<void>;
}

export async function balancer(): Promise<Balancer> {
  const port = await freePort();
  const ports: string[] = [];
  const open: string[] = [];
  const forward = (asked: IncomingMessage, answer: ServerResponse): void => {
    const next = ports.shift() ?? "";
    ports.push(next);
    open.push(next);
    answer.once("close", () => open.splice(open.indexOf(next), 1));
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
    add: (added) => void ports.push(added),
    async remove(removed) {
      ports.splice(ports.indexOf(removed), 1);
      await until(() => !open.includes(removed));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
