import type pg from "pg";
import type { Sent, SentEach, StatementBatches, send } from "./send.ts";
import type { Statement } from "./statement-batch.ts";

/** The most requests that share a message: more would wait longer for each other than for another connection. */
const TOGETHER = 8;

interface Waiting {
  statements: readonly Statement[];
  promise: Promise<Sent>;
  resolve(sent: Promise<Sent> | Sent): void;
}

/**
 * Runs work on a connection, which is returned afterwards; may run it again if it throws. It sends so many batches, each of
 * which may take as long as a statement may.
 */
export type UseConnection = (
  work: (client: pg.PoolClient) => Promise<void>,
  batches: number,
) => Promise<void>;

export interface PipelineOptions {
  use: UseConnection;
  /** Sends the batches of one request. */
  send: typeof send;
  /** Sends the batches of several requests: `send`, or `sendAsGroup` for batches that may commit. */
  sendAll: typeof send;
  /** How many requests share a message. */
  together?: number;
  /** Whether all batches may be sent again after this error of the first one. */
  maySendAgain(error: Error | undefined): boolean;
}

/**
 * Sends the short statement batches of many requests, each its own transaction. What one iteration of the event loop
 * collects goes over one connection in one message, because short work costs mostly socket writes and wake-ups.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  /** The batches of each request. */
  #waiting: Waiting[][] = [];

  constructor(options: PipelineOptions) {
    this.#options = options;
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
    const { together = TOGETHER } = this.#options;
    for (let i = 0; i < all.length; i += together) void this.#carry(all.slice(i, i + together));
  }

  async #carry(requests: readonly Waiting[][]): Promise<void> {
    const waiting = requests.flat();
    const batches = waiting.map(({ statements }) => statements);
    const { use, send, sendAll, maySendAgain } = this.#options;
    try {
      await use(async (client) => {
        const sent = (requests.length > 1 ? sendAll : send)(client, batches);
        const error = (await sent[0])?.error;
        if (maySendAgain(error)) throw error;
        for (const [i, answer] of sent.entries()) waiting[i]?.resolve(answer);
        await Promise.all(sent);
      }, batches.length);
    } catch (error) {
      for (const { resolve } of waiting) resolve({ error: error as Error, results: [] });
    }
  }
}
