import type pg from "pg";
import type { Sent, SentEach, StatementBatches, send } from "./send.ts";
import type { Statement } from "./statement-batch.ts";

/** The most requests that share a message: more would wait longer for each other than for another connection. */
const TOGETHER = 8;

/** Is called when work gets its connection. */
interface Recording {
  taken(client: pg.PoolClient): void;
}

interface Waiting {
  statements: readonly Statement[];
  record: Recording | undefined;
  promise: Promise<Sent>;
  resolve(sent: Promise<Sent> | Sent): void;
}

/** The batches of one request. */
type Request = readonly Waiting[];

/**
 * Takes a connection for this work, uses it and returns it; may do the work again if that throws. `batches` says how many
 * batches were sent, each of which may take as long as a statement may.
 */
export type UseConnection<Work> = (
  asked: Work,
  work: (client: pg.PoolClient) => Promise<void>,
  batches: () => number,
) => Promise<void>;

export interface PipelineOptions<Work> {
  use: UseConnection<Work>;
  /** Sends the batches of one request. */
  send: typeof send;
  /** Sends the batches of several requests: `send`, or `sendAsGroup` for batches that may commit. */
  sendAll: typeof send;
  /** How many requests share a message. */
  together?: number;
  /** Whether all batches may be sent again after this error of the first one. */
  maySendAgain(error: Error | undefined): boolean;
}

/** The requests of one owner. */
interface Queue<Work> {
  /** Since the event loop yielded. */
  fresh: { request: Request; work: Work }[];
  /** Those that wait for a connection, too. */
  waiting: Set<Request>;
}

/**
 * Sends the short statement batches of many requests, each its own transaction. What one iteration of the event loop
 * collects goes over one connection in one message, because short work costs mostly socket writes and wake-ups. So does
 * what waits for a connection of the same owner, once there is one.
 */
export class Pipeline<Work extends { owner: string; record?: Recording | undefined }> {
  readonly #options: PipelineOptions<Work>;
  readonly #queues = new Map<string, Queue<Work>>();

  constructor(options: PipelineOptions<Work>) {
    this.#options = options;
  }

  /** Sends the batches of one request in order over one connection, which is taken for `work`. */
  send<const C extends StatementBatches>(work: Work, batches: C): SentEach<C> {
    const { record } = work;
    const request = batches.map((statements) => ({ statements, record, ...Promise.withResolvers<Sent>() }));
    const queue = this.#queues.get(work.owner) ?? { fresh: [], waiting: new Set() };
    this.#queues.set(work.owner, queue);
    queue.fresh.push({ request, work });
    queue.waiting.add(request);
    if (queue.fresh.length === 1) setImmediate(() => this.#leave(queue));
    return request.map(({ promise }) => promise) as SentEach<C>;
  }

  #leave(queue: Queue<Work>): void {
    const { together = TOGETHER } = this.#options;
    const all = queue.fresh;
    queue.fresh = [];
    for (let i = 0; i < all.length; i += together) void this.#carry(queue, all.slice(i, i + together));
  }

  /** Sends these requests, and others that wait, unless all were sent in the meantime. */
  async #carry(queue: Queue<Work>, own: Queue<Work>["fresh"]): Promise<void> {
    const { use, send, sendAll, together = TOGETHER, maySendAgain } = this.#options;
    const [first] = own;
    if (first === undefined) return;
    const take = (requests: readonly Request[]): readonly Request[] => {
      for (const request of requests) queue.waiting.delete(request);
      if (queue.waiting.size === 0) this.#queues.delete(first.work.owner);
      return requests;
    };
    const mine = () => own.map(({ request }) => request).filter((request) => queue.waiting.has(request));
    let taken: readonly Request[] | undefined;
    try {
      await use(
        first.work,
        async (client) => {
          taken ??= take([...new Set([...mine(), ...queue.waiting])].slice(0, together));
          const all = taken.flat();
          if (all.length === 0) return;
          for (const { record } of all) record?.taken(client);
          const batches = all.map(({ statements }) => statements);
          const sent = (taken.length > 1 ? sendAll : send)(client, batches);
          const error = (await sent[0])?.error;
          if (maySendAgain(error)) throw error;
          for (const [i, answer] of sent.entries()) all[i]?.resolve(answer);
          await Promise.all(sent);
        },
        () => taken?.flat().length ?? 0,
      );
    } catch (error) {
      for (const { resolve } of (taken ?? take(mine())).flat())
        resolve({ error: error as Error, results: [] });
    }
  }
}
