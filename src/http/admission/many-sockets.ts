import { once } from "node:events";
import { Server } from "node:http";
import { type AddressInfo, createServer, type ListenOptions, type Server as NetServer } from "node:net";
import type { FastifyInstance, FastifyListenOptions } from "fastify";
import { mostDescriptors } from "../../config/descriptors.ts";
import { resetAtLimit } from "./few-descriptors.ts";

/** Where several sockets may listen on one port, and the kernel divides the connections between them. */
const CAN_SHARE = process.platform === "linux";
/** How many sockets of a port accept connections. */
const SOCKETS = 64;

/**
 * An HTTP server that accepts through several sockets of its port, if it listens with `reusePort`: libuv accepts one
 * connection of a socket in a turn of the event loop, so new connections of a flood would wait for seconds.
 */
export class ManySocketServer extends Server {
  readonly #others: NetServer[] = [];

  /** Opens the other sockets, once the first one listens. */
  share(): void {
    const { address: host, port } = this.address() as AddressInfo;
    for (let n = 1; n < SOCKETS; n += 1) {
      // As node:http makes its own: a client may end its half and still wait for the answer.
      const other = createServer({ allowHalfOpen: true, noDelay: true });
      other.on("connection", (socket) => this.emit("connection", socket));
      // It is not needed: the first socket takes all connections then.
      other.on("error", () => other.close());
      other.listen({ host, port, reusePort: true });
      this.#others.push(other);
    }
  }

  override close(done?: (error?: Error) => void): this {
    const closed = this.#others.splice(0).map((other) => new Promise((resolve) => other.close(resolve)));
    return super.close((error) => void Promise.all(closed).then(() => done?.(error)));
  }
}

/** Listens; throws EADDRINUSE if any program does so on this port, also one that would share it. */
export async function listenWithMany(
  app: FastifyInstance,
  at: { host: string; port: number },
): Promise<void> {
  if (!CAN_SHARE) return void (await app.listen(at));
  const guard = createServer().listen(at);
  await once(guard, "listening");
  guard.close();
  app.server.once("listening", () => (app.server as ManySocketServer).share());
  const shared = { ...at, reusePort: true };
  const most = await mostDescriptors();
  if (most !== undefined) resetAtLimit(app.server, { most, log: app.log });
  await app.listen(shared satisfies FastifyListenOptions & ListenOptions);
}
