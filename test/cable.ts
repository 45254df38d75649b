import { connect, createServer, type Socket } from "node:net";
import { Client } from "pg";
import { freePort } from "./world.ts";

/** The way to a database, which a test can cut, silence and mend. */
export interface Cable extends AsyncDisposable {
  /** The database's URL through this cable. */
  url: string;
  /** Ends all connections and refuses new ones, as a server that is down does. */
  cut(): Promise<void>;
  /** Keeps all connections open, accepts new ones, and passes no byte. */
  silence(): void;
  /** Keeps the open connections silent for good, as a firewall that forgot them does; new ones work. */
  strand(): void;
  /** Accepts connections again; those that were silenced go on. */
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
  /** The two directions of the connections that are not stranded. */
  const passing = new Map<Socket, Socket>();
  let isSilent = false;
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
        passing.delete(one);
        other.destroy();
      });
      passing.set(one, other);
      if (!isSilent) one.pipe(other);
    }
  });
  const silence = () => {
    isSilent = true;
    for (const [one, other] of passing) one.unpipe(other).pause();
  };
  const strand = () => {
    for (const [one, other] of passing) one.unpipe(other).pause();
    passing.clear();
  };
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(Number(near.port), "127.0.0.1", () => {
        server.off("error", reject);
        resolve();
      });
    });
  const mend = async () => {
    if (isSilent) for (const [one, other] of passing) one.pipe(other);
    isSilent = false;
    if (!server.listening) await listen();
  };
  const cut = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  await mend();
  return { url: near.href, cut, silence, strand, mend, [Symbol.asyncDispose]: cut };
}
