import type pg from "pg";
import { report } from "../../observe/metrics/report.ts";
import { type Sent, type SentEach, type StatementBatches, send } from "./send.ts";
import type { Statement } from "./statement-batch.ts";

/**
 * Lets a transaction commit without waiting for the disk. A lock that is not free for so long fails with 55P03, so that the
 * batches behind it on the connection do not wait long.
 */
const ASYNC_COMMIT =
  "SELECT set_config('synchronous_commit', 'off', true), set_config('lock_timeout', $1, true)";

/** Writes a record of its own, so its commit waits until the log is on the disk up to there (PostgreSQL 28.4). */
const FLUSH: Statement = {
  text: "SELECT FROM pg_logical_emit_message(true, 'leadgate', '')",
  values: [],
};

/**
 * Sends batches that may commit in one message, as a group commit: each commits without waiting for the disk, a last
 * transaction waits for it, and no batch is answered before that one has committed. `name` names what is prepared;
 * `lockMs` is how long a batch may wait for a lock.
 */
export function groupCommit(name: (statement: Statement) => Statement, lockMs: number): typeof send {
  const asynchronous = name({ text: ASYNC_COMMIT, values: [String(lockMs)] });
  const flush = name(FLUSH);
  return <const C extends StatementBatches>(client: pg.PoolClient, batches: C): SentEach<C> => {
    const sent = send(client, [...batches.map((batch) => [asynchronous, ...batch]), [flush]]);
    const flushed = sent.at(-1);
    void timed(sent.at(-2), flushed);
    return sent.slice(0, -1).map(async (one) => {
      const { error, results } = await one;
      const since = performance.now();
      const failed = (await flushed)?.error;
      const commitMs = error === undefined ? performance.now() - since : 0;
      return { error: error ?? failed, results: results.slice(1), commitMs };
    }) as SentEach<C>;
  };
}

/** Reports how long the last transaction waited for the disk: the batches before it were answered without a wait. */
async function timed(last: Promise<Sent> | undefined, flushed: Promise<Sent> | undefined): Promise<void> {
  await last;
  const since = performance.now();
  if ((await flushed)?.error === undefined) report.committed((performance.now() - since) / 1_000);
}
