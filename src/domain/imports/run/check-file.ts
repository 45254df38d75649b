import type { Transaction } from "../../../db/pool/database.ts";
import { DryRows } from "../../datasets/rows/dry-rows.ts";
import { type JobRef, JobTaken } from "../../jobs/job.ts";
import type { ReadRow } from "../mapping/row-reader.ts";
import type { BatchContext, Placed } from "./batch-context.ts";
import { batchesOf, oneAhead } from "./batches.ts";
import { bisect } from "./bisect.ts";
import { DryLeads } from "./dry-leads.ts";
import { addCounts, noCounts } from "./import-report.ts";
import { identifiersOfRows, placeLeads } from "./place-leads.ts";
import { placeRows } from "./place-rows.ts";
import type { ImportRun } from "./run-import.ts";
import { writeFailures } from "./write-failures.ts";

const MINE =
  "SELECT FROM import WHERE project_id = $1 AND id = $2 AND state = 'checking' AND job_id = $3 FOR UPDATE";

/**
 * Performs a dry run: each batch is written by the commit's code and rolled back to a savepoint, so no lock
 * outlives it; what later rows would find is remembered. Failed rows are kept until the commit starts. Returns the counts.
 */
export async function checkFile(run: ImportRun, job: JobRef, id: string): Promise<Record<string, unknown>> {
  const { db, reader, records, signal } = run;
  const { projectId } = job;
  const counts = noCounts();
  let repeated: number | null = null;
  await db.transaction(async (tx) => {
    await tx.allow(run.context.limitMs);
    const { batches, readNext } = oneAhead(batchesOf(records, reader));
    const place = await placing(tx, { ...run.context, readNext });
    for await (const rows of batches) {
      if (signal?.aborted) throw signal.reason as Error;
      await bisect(rows, async (some) => {
        const { counts: more, failed, repeated: again } = await behindSavepoint(tx, () => place(some));
        await writeFailures(tx, projectId, id, failed);
        addCounts(counts, more);
        if (again !== undefined) repeated = (repeated ?? 0) + again;
      });
    }
    const mine = await tx.query(MINE, [projectId, id, job.id]);
    if (mine.length === 0) throw new JobTaken("the dry run was cancelled");
  });
  return { ...counts, repeated };
}

/** Rolls back to a savepoint if the work fails. */
async function behindSavepoint<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx.query("SAVEPOINT rows");
  try {
    const done = await work();
    await tx.query("RELEASE SAVEPOINT rows");
    return done;
  } catch (error) {
    await tx.query("ROLLBACK TO SAVEPOINT rows");
    throw error;
  }
}

/**
 * Returns the function that places batches in a dry run: rows of a dataset are decided and remembered, not written.
 */
async function placing(
  tx: Transaction,
  context: BatchContext,
): Promise<(rows: readonly ReadRow[]) => Promise<Placed>> {
  const { target } = context;
  if (target.rows !== null) {
    const dry = await DryRows.open(tx);
    const into = { ...context, projectId: target.projectId, rows: target.rows };
    return (rows) => placeRows(tx, into, rows, dry);
  }
  const dry = await DryLeads.open(tx, target.projectId, target.country);
  return (rows) => placedLeads(tx, context, dry, rows);
}

async function placedLeads(
  tx: Transaction,
  context: BatchContext,
  dry: DryLeads,
  rows: readonly ReadRow[],
): Promise<Placed> {
  await tx.query("SAVEPOINT batch");
  const remembered = await dry.repeat(identifiersOfRows(rows, context.target.country));
  const placed = await placeLeads(tx, context, rows, remembered);
  const written = await dry.read(placed.leads);
  await tx.query("ROLLBACK TO SAVEPOINT batch");
  await tx.query("SET LOCAL enable_seqscan = off");
  await dry.keep(written);
  return placed;
}
