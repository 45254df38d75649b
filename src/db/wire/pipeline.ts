import type pg from "pg";
import { type Chains, type Sent, type SentEach, send } from "./send.ts";
import type { Statement } from "./statement-batch.ts";

/** So many requests share a message at most: more would wait for each other longer than for another connection. */
const TOGETHER = 8;

interface Waiting {
  statements: readonly Statement[];
  promise: Promise<Sent>;
  resolve(sent: Promise<Sent> | Sent): void;
}

/**
 * Short work of many requests, each chain a transaction of its own: what one turn of the event loop brings goes to
 * PostgreSQL down one connection in one message, as most of what short work costs is writing to sockets and waking who
 * listens. `sendAll` sends the chains of several requests: `send`, or `sendAsGroup` for chains that may commit.
 */
export class Pipeline {
  readonly #pool: pg.Pool;
  readonly #sendAll: typeof send;
  /** The chains of each request. */
  #waiting: Waiting[][] = [];

  constructor(pool: pg.Pool, sendAll: typeof send) {
    this.#pool = pool;
    this.#sendAll = sendAll;
  }

  /** Sends the chains of one request, one after the other on one connection. */
  send<const C extends Chains>(chains: C): SentEach<C> {
    const waiting = chains.map((statements) => ({ statements, ...Promise.withResolvers<Sent>() }));
    this.#waiting.push(waiting);
    if (this.#waiting.length === 1) setImmediate(() => this.#leave());
    return waiting.map(({ promise }) => promise) as SentEach<C>;
  }

  #leave(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (let i = 0; i < all.length; i += TOGETHER) void this.#carry(all.slice(i, i + TOGETHER));
  }

  async #carry(requests: readonly Waiting[][]): Promise<void> {
    const waiting = requests.flat();
    const chains = waiting.map(({ statements }) => statements);
    let client: pg.PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      const sent = (requests.length > 1 ? this.#sendAll : send)(client, chains);
      for (const [i, answer] of sent.entries()) waiting[i]?.resolve(answer);
      await Promise.all(sent);
      client.release();
    } catch (error) {
      client?.release(true);
      for (const { resolve } of waiting) resolve({ error: error as Error, results: [] });
    }
  }
}
