import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import prometheus from "prom-client";
import { registry } from "../observe/registry.ts";

/** How many descriptors clients leave to the database, files and mails, which fail without one. */
const KEPT = 64;
const LOG_EVERY_MS = 10_000;

const resets = new prometheus.Counter({
  name: "leadgate_sockets_reset_total",
  help: "Connections of clients that were reset because the process had few file descriptors left",
  registers: [registry],
});

/**
 * Resets new connections while the process has nearly `most` descriptors open, and counts and logs them. At the limit itself,
 * libuv closes connections without a sign, and the service could not reach its database.
 */
export function resetAtLimit(
  server: Server,
  { most, log }: { most: number; log: Pick<FastifyBaseLogger, "warn"> },
): void {
  const last = most - Math.min(KEPT, Math.ceil(most / 16));
  let [untold, toldAt] = [0, Number.NEGATIVE_INFINITY];
  server.prependListener("connection", (socket: Socket) => {
    // A new descriptor has the lowest free number, so all below it are open.
    if (descriptorOf(socket) < last) return;
    socket.resetAndDestroy();
    resets.inc();
    untold += 1;
    if (performance.now() - toldAt < LOG_EVERY_MS) return;
    log.warn(
      { reset: untold, descriptors: most },
      "connections are reset, because the limit of file descriptors is near; raise it (ulimit -n, LimitNOFILE=)",
    );
    [untold, toldAt] = [0, performance.now()];
  });
}

/** The number of a socket's descriptor, which node has no public name for; -1 if it is closed. */
const descriptorOf = (socket: Socket): number =>
  (socket as unknown as { _handle?: { fd?: number } | null })._handle?.fd ?? -1;
