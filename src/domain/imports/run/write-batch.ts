import type { Transaction } from "../../../db/pool/database.ts";
import { JobTaken } from "../../jobs/job.ts";
import type { ReadRow } from "../mapping/row-reader.ts";
import type { BatchContext, Placed } from "./batch-context.ts";
import { placeLeads } from "./place-leads.ts";
import { placeRows } from "./place-rows.ts";
import { writeFailures } from "./write-failures.ts";

/**
 * The checkpoint moves only from the row where the batch started, and only while the import belongs to this job. A
 * cancelled and resumed import may run again before its former job notices.
 */
const COUNTED = `UPDATE import SET rows = rows + $3, created = created + $4, updated = updated + $5,
    unchanged = unchanged + $6, skipped = skipped + $7, failed = failed + $8, change_id = coalesce(change_id, $11),
    opted_out = opted_out + $12, opt_outs_kept = opt_outs_kept + $13
  WHERE project_id = $1 AND id = $2 AND state = 'running' AND rows = $9 AND job_id IS NOT DISTINCT FROM $10
  RETURNING id`;

/**
 * Writes a batch and moves the import's checkpoint past it in the same transaction, so that counted rows are stored
 * exactly once. Throws JobTaken if the import was cancelled or another run came first.
 */
export async function writeBatch(
  tx: Transaction,
  context: BatchContext,
  rows: readonly ReadRow[],
  done: number,
): Promise<Placed> {
  const { importId, jobId, target, change } = context;
  change.made = false;
  const outcome = await placed(tx, context, rows);
  const { counts, failed } = outcome;
  await writeFailures(tx, target.projectId, importId, failed);
  const { rows: read, created, updated, unchanged, skipped } = counts;
  const numbers = [read, created, updated, unchanged, skipped, counts.failed, done, jobId];
  const optOuts = [counts.opted_out, counts.opt_outs_kept];
  const changed = change.made ? change.id : null;
  const mine = await tx.query(COUNTED, [target.projectId, importId, ...numbers, changed, ...optOuts]);
  if (mine.length === 0) throw new JobTaken("the import was cancelled, or another run took over");
  return outcome;
}

/** Places leads or dataset rows. */
async function placed(tx: Transaction, context: BatchContext, rows: readonly ReadRow[]): Promise<Placed> {
  const { target, readNext } = context;
  if (target.rows === null) return await placeLeads(tx, context, rows);
  readNext?.();
  return await placeRows(tx, { ...context, projectId: target.projectId, rows: target.rows }, rows);
}
