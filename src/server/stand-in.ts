import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Config } from "../config/config.ts";

/** Answers on the ports of an instance while its database is migrated. */
export interface StandIn {
  /** Begins to listen; a port that is in use is left alone, because the real listener reports it. */
  open(): Promise<void>;
  /** Frees the ports; they are not opened again. */
  close(): Promise<void>;
}

const RETRY_SECONDS = "5";
const ELSE = {
  error: { code: "migrating", message: "The service is being upgraded. Try again in a few seconds." },
};

/** Returns the stand-in for the listeners of a role. */
export function standIn({ role, host, authPort, apiPort }: Config): StandIn {
  const ports = { all: [authPort, apiPort], web: [authPort], api: [apiPort], worker: [apiPort] }[role];
  let servers: Server[] | undefined;
  let isClosed = false;
  return {
    async open() {
      if (servers !== undefined || isClosed) return;
      servers = ports.map(() => createServer(answer));
      await Promise.all(
        servers.map(async (server, n) => {
          const listening = once(server, "listening");
          server.listen({ host, port: ports[n] });
          await listening.catch(() => undefined);
          server.on("error", () => undefined);
        }),
      );
    },
    async close() {
      isClosed = true;
      const open = servers?.splice(0).filter((server) => server.listening) ?? [];
      await Promise.all(
        open.map(async (server) => {
          const closed = once(server, "close");
          server.close();
          server.closeAllConnections();
          await closed;
        }),
      );
    },
  };
}

function answer({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const path = url.split("?", 1)[0];
  const [status, body] =
    path === "/livez" ? [200, { status: "ok" }] : [503, path === "/readyz" ? { status: "migrating" } : ELSE];
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    Connection: "close",
    ...(status === 503 ? { "Retry-After": RETRY_SECONDS } : {}),
  });
  response.end(JSON.stringify(body));
}
