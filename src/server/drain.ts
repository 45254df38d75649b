import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { beginDraining } from "../http/route/draining.ts";

const SWEEP_MS = 250;

/** A listener and its connections. */
export interface Drainable {
  app: FastifyInstance;
  connections: ReadonlySet<Socket>;
}

/** Keeps a set of a listener's connections, from its first one on. */
export function drainable(app: FastifyInstance): Drainable {
  const connections = new Set<Socket>();
  app.server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  return { app, connections };
}

/**
 * Closes a listener without losing a request: it says that it is draining and still accepts connections for `acceptMs`,
 * then closes. Connections without a request are closed then, others after their answer; what is left after
 * `finishMs`, counted from the start, is cut off.
 */
export async function drain(
  { app, connections }: Drainable,
  { acceptMs, finishMs, log }: { acceptMs: number; finishMs: number; log: Logger },
): Promise<void> {
  beginDraining(app);
  const { server } = app;
  const late = setTimeout(() => {
    log.warn({ connections: connections.size }, "requests took too long and were cut off");
    server.closeAllConnections();
  }, finishMs);
  if (acceptMs > 0) await sleep(acceptMs);
  const sweep = setInterval(() => closeUnused(server, connections), SWEEP_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(late);
    clearInterval(sweep);
  }
}

/** Closes connections that carry no request; for Node, those that never sent anything are not idle. */
function closeUnused(server: Server, connections: ReadonlySet<Socket>): void {
  server.closeIdleConnections();
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
}
