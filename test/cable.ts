import { connect, createServer, type Socket } from "node:net";
import { Client } from "pg";
import { freePort } from "./world.ts";

/** The way to a database, which a test can cut and mend. */
export interface Cable extends AsyncDisposable {
  /** The database's URL through this cable. */
  url: string;
  /** Ends all connections and refuses new ones, as a server that is down does. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Opens a port through which the database at `databaseUrl` is reached. */
export async function cableTo(databaseUrl: string): Promise<Cable> {
  const { host, port } = new Client(databaseUrl);
  const near = new URL(databaseUrl);
  near.searchParams.delete("host");
  near.hostname = "127.0.0.1";
  near.port = String(await freePort());
  const open = new Set<Socket>();
  const server = createServer((here) => {
    const there = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const [one, other] of [
      [here, there],
      [there, here],
    ] as const) {
      open.add(one);
      one.on("error", () => other.destroy());
      one.once("close", () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const mend = () =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(Number(near.port), "127.0.0.1", () => {
        server.off("error", reject);
        resolve();
      });
    });
  const cut = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  await mend();
  return { url: near.href, cut, mend, [Symbol.asyncDispose]: cut };
}
