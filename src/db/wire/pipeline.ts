import type pg from "pg";
import { type Chains, type Sent, type SentEach, send } from "./send.ts";
import type { Statement } from "./statement-batch.ts";

/** So many requests share a message at most: more would wait for each other longer than for another connection. */
const TOGETHER = 8;

/**
 * Lets a transaction commit without waiting for the disk. Those behind it on its connection do not wait long for it
 * either: a row that somebody holds for seconds is a refusal (55P03).
 */
const LAZY: Statement = {
  name: "lg_lazy",
  text: "SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '3s', true)",
  values: [],
};

/** A transaction that writes, and so waits until the log is on the disk up to its own end (PostgreSQL 28.4). */
const FLUSH: Statement = {
  name: "lg_flush",
  text: "SELECT FROM pg_logical_emit_message(true, 'leadgate', '')",
  values: [],
};

interface Waiting {
  statements: readonly Statement[];
  promise: Promise<Sent>;
  resolve(sent: Promise<Sent> | Sent): void;
}

/**
 * Short work of many requests, each chain a transaction of its own: what one turn of the event loop brings goes to
 * PostgreSQL down one connection in one message, as most of what short work costs is writing to sockets and waking who
 * listens. Where it may commit (`writes`), it is a group commit as well: the transactions of a message leave the disk to
 * the last one, and nobody is answered before that one is through.
 */
export class Pipeline {
  readonly #pool: pg.Pool;
  readonly #writes: boolean;
  /** The chains of each request. */
  #waiting: Waiting[][] = [];

  constructor(pool: pg.Pool, { writes }: { writes: boolean }) {
    this.#pool = pool;
    this.#writes = writes;
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
      const sent = this.#writes && requests.length > 1 ? sendAsGroup(client, chains) : send(client, chains);
      for (const [i, answer] of sent.entries()) waiting[i]?.resolve(answer);
      await Promise.all(sent);
      client.release();
    } catch (error) {
      client?.release(true);
      for (const { resolve } of waiting) resolve({ error: error as Error, results: [] });
    }
  }
}

function sendAsGroup(client: pg.PoolClient, chains: Chains): Promise<Sent>[] {
  const sent = send(client, [...chains.map((chain) => [LAZY, ...chain]), [FLUSH]]);
  const flushed = sent.at(-1);
  return sent.slice(0, -1).map(async (one) => {
    const { error, results } = await one;
    return { error: error ?? (await flushed)?.error, results: results.slice(1) };
  });
}
