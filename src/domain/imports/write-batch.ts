import type { Transaction } from "../../db/database.ts";
import { decide, type NewEvent } from "./decide.ts";
import { findLeads } from "./find-leads.ts";
import { type Counts, count, type Failure, noCounts } from "./import-report.ts";
import type { ImportTarget } from "./import-target.ts";
import type { ReadRow } from "./read-row.ts";
import { takeTurns } from "./take-turns.ts";
import { type Actor, encodeEvents, writeEvents } from "./write-events.ts";
import { writeLeads } from "./write-leads.ts";

export interface BatchContext {
  target: ImportTarget;
  importId: string;
  actor: Actor;
  fields: readonly string[];
}

/** Writes a batch and adds its counts to the import, all in the transaction: what is counted is stored. */
export async function writeBatch(
  tx: Transaction,
  { target, importId, actor, fields }: BatchContext,
  rows: readonly ReadRow[],
): Promise<{ counts: Counts; failures: Failure[] }> {
  const { projectId } = target;
  await openBatch(tx, projectId);
  const book = await findLeads(tx, projectId, fields, rows);
  const counts = noCounts();
  const failures: Failure[] = [];
  const events: NewEvent[] = [];
  const turn = takeTurns();
  for (const row of rows) {
    const decision = decide(row, book);
    count(counts, decision.outcome);
    failures.push(...decision.faults);
    events.push(...decision.events);
    await turn();
  }
  const [chunks] = await Promise.all([
    encodeEvents(events),
    writeLeads(tx, target, importId, fields, book.leads),
  ]);
  await writeEvents(tx, projectId, actor, chunks);
  await tx.query(
    `UPDATE import SET rows = rows + $3, created = created + $4, updated = updated + $5,
       unchanged = unchanged + $6, skipped = skipped + $7, failed = failed + $8
     WHERE project_id = $1 AND id = $2`,
    [
      projectId,
      importId,
      counts.rows,
      counts.created,
      counts.updated,
      counts.unchanged,
      counts.skipped,
      counts.failed,
    ],
  );
  return { counts, failures };
}

/**
 * One batch of a project at a time, so that two imports of one person make one lead. Sequential scans are
 * off because a table that was never analyzed looks empty to the planner.
 */
async function openBatch(tx: Transaction, projectId: string): Promise<void> {
  await tx.query(
    `SELECT set_config('statement_timeout', '120s', true), set_config('enable_seqscan', 'off', true)`,
  );
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 7237002))", [projectId]);
}
