import { connect, createServer, type Server, type Socket } from "node:net";
import { Client } from "pg";

interface Pair {
  near: Socket;
  far: Socket;
  /** While no byte passes, the database does not notice either that the process closed its end. */
  isSilent: boolean;
}

/** The way of one process to its database, which can refuse, drop and silence connections. */
export class Relay {
  readonly url: string;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #lost: Pair[] = [];
  #refuses = false;
  #silent = false;
  #delayMs = 0;

  private constructor(url: string, server: Server) {
    this.url = url;
    this.#server = server;
  }

  /** Opens a port of 127.0.0.1 through which the database at `databaseUrl` is reached. */
  static async to(databaseUrl: string): Promise<Relay> {
    const { host, port } = new Client(databaseUrl);
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port for a relay");
    const url = new URL(databaseUrl);
    url.searchParams.delete("host");
    url.hostname = "127.0.0.1";
    url.port = String(address.port);
    const relay = new Relay(url.href, server);
    server.on("connection", (near) =>
      relay.#join(near, host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)),
    );
    return relay;
  }

  #join(near: Socket, far: Socket): void {
    const pair = { near, far, isSilent: this.#silent };
    if (this.#refuses) {
      end(pair);
      return;
    }
    this.#pairs.add(pair);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      // The close that follows an error says enough.
      one.on("error", () => undefined);
      one.once("close", () => {
        if (pair.isSilent) return;
        this.#pairs.delete(pair);
        other.destroy();
      });
      if (this.#delayMs > 0) this.#delayed(one, other);
      else if (!pair.isSilent) one.pipe(other);
    }
  }

  /** From now on, each byte of new connections is late by so much; those that are open end. */
  delay(ms: number): void {
    this.#delayMs = ms;
    this.drop();
  }

  #delayed(one: Socket, other: Socket): void {
    const ms = this.#delayMs;
    one.on("data", (bytes) => setTimeout(() => other.writable && other.write(bytes), ms));
  }

  /** Ends all connections. */
  drop(): void {
    for (const pair of this.#pairs) {
      end(pair);
      this.#pairs.delete(pair);
    }
  }

  /** Ends all connections, and new ones until `accept`. */
  refuse(): void {
    this.#refuses = true;
    this.drop();
  }

  accept(): void {
    this.#refuses = false;
  }

  /** From now on no byte passes, on new connections either. */
  silence(): void {
    this.#silent = true;
    for (const pair of this.#pairs) silence(pair);
  }

  /** Ends the silence. What was not delivered is, unless the connections are cut. */
  speak(resumes: boolean): void {
    this.#silent = false;
    for (const pair of this.#pairs) {
      pair.isSilent = false;
      if (!resumes || pair.near.destroyed || pair.far.destroyed) end(pair);
      pair.near.pipe(pair.far);
      pair.far.pipe(pair.near);
      if (pair.near.destroyed) this.#pairs.delete(pair);
    }
  }

  /** No byte ever passes again on the connections that are open now; new ones work. */
  lose(): void {
    for (const pair of this.#pairs) {
      silence(pair);
      this.#pairs.delete(pair);
      this.#lost.push(pair);
    }
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const pair of this.#lost) end(pair);
    this.drop();
    await closed;
  }
}

function end({ near, far }: Pair): void {
  // A socket that is closing cannot be reset; Node would keep its handle and hang in its own exit.
  if (near.writableEnded) near.destroy();
  else near.resetAndDestroy();
  far.destroy();
}

function silence(pair: Pair): void {
  const { near, far } = pair;
  pair.isSilent = true;
  near.unpipe(far);
  far.unpipe(near);
  near.pause();
  far.pause();
}
