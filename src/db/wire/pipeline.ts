import type pg from "pg";
import { type Sent, type SentEach, type StatementBatches, send } from "./send.ts";
import type { Statement } from "./statement-batch.ts";

/** The most requests that share a message: more would wait longer for each other than for another connection. */
const TOGETHER = 8;

interface Waiting {
  statements: readonly Statement[];
  promise: Promise<Sent>;
  resolve(sent: Promise<Sent> | Sent): void;
}

/** Runs work on a connection, which is returned afterwards. */
type UseConnection = (work: (client: pg.PoolClient) => Promise<void>) => Promise<void>;

/**
 * Sends the short statement batches of many requests, each its own transaction. What one iteration of the event loop
 * collects goes over one connection in one message, because short work costs mostly socket writes and wake-ups.
 * `sendAll` sends the batches of several requests: `send`, or `sendAsGroup` for batches that may commit.
 */
export class Pipeline {
  readonly #use: UseConnection;
  readonly #sendAll: typeof send;
  /** The batches of each request. */
  #waiting: Waiting[][] = [];

  constructor(use: UseConnection, sendAll: typeof send) {
    this.#use = use;
    this.#sendAll = sendAll;
  }

  /** Sends the batches of one request in order over one connection. */
  send<const C extends StatementBatches>(batches: C): SentEach<C> {
    const waiting = batches.map((statements) => ({ statements, ...Promise.withResolvers<Sent>() }));
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
    const batches = waiting.map(({ statements }) => statements);
    try {
      await this.#use(async (client) => {
        const sent = (requests.length > 1 ? this.#sendAll : send)(client, batches);
        for (const [i, answer] of sent.entries()) waiting[i]?.resolve(answer);
        await Promise.all(sent);
      });
    } catch (error) {
      for (const { resolve } of waiting) resolve({ error: error as Error, results: [] });
    }
  }
}
