import type pg from "pg";
import { type Row, type Statement, StatementBatch } from "./statement-batch.ts";

/**
 * Allows parallel workers for a statement that reads most of a project. Connections start without them: starting the
 * workers takes longer than a page (40 to 52 ms against 6 to 12).
 */
export const PARALLEL: Statement = {
  text: "SELECT set_config('max_parallel_workers_per_gather', '2', true)",
  values: [],
};

/** Statement batches, each one transaction. */
export type StatementBatches = readonly (readonly Statement[])[];

/** The results of a statement batch, up to its error if there was one. */
export interface Sent {
  error: Error | undefined;
  results: Row[][];
  /** How long it waited for its commit to be on the disk, in milliseconds, after its answer; not known of every write. */
  commitMs?: number;
}

/** The results of each batch; none of these promises is ever rejected. */
export type SentEach<C extends StatementBatches> = { [I in keyof C]: Promise<Sent> };

/** Sends batches in one message over one connection; a batch that fails does not fail the next one. */
export function send<const C extends StatementBatches>(client: pg.PoolClient, batches: C): SentEach<C> {
  const enqueue = (batch: StatementBatch) => void client.query(batch);
  let batch: StatementBatch | undefined;
  const sent = batches.toReversed().map((statements) => {
    const { promise, resolve } = Promise.withResolvers<Sent>();
    const behind = batch === undefined ? undefined : { batch, enqueue };
    batch = new StatementBatch(statements, (error, results) => resolve({ error, results }), behind);
    return promise;
  });
  if (batch !== undefined) enqueue(batch);
  return sent.reverse() as SentEach<C>;
}

/** Sends batches that belong together. */
export type Way = <const C extends StatementBatches>(batches: C) => SentEach<C>;

/** Sends batches over this connection. */
export const onConnection =
  (client: pg.PoolClient, sendAll: typeof send): Way =>
  (batches) =>
    sendAll(client, batches);
