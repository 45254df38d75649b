import type { Actor } from "../../../contract/basics/actor.ts";
import type { RowCounts } from "../../../contract/lists/outcomes.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { recordItems } from "../../changes/record-items.ts";
import { JobTaken } from "../../jobs/job.ts";
import { lockAllIdentities } from "../../leads/identity/identity-locks.ts";
import { eventLoopYielder } from "../../values/event-loop.ts";
import type { ImportTarget } from "../mapping/import-target.ts";
import type { ReadRow } from "../mapping/row-reader.ts";
import { decide, type NewEvent, type UntoldChange } from "./decide.ts";
import type { DryLeads } from "./dry-leads.ts";
import { findLeads } from "./find-leads.ts";
import { count, type FailedRow, noCounts } from "./import-report.ts";
import type { LeadIdentityMap } from "./lead-identity-map.ts";
import { placeRows } from "./place-rows.ts";
import { type EncodedEvents, encodeEvents, writeEvents } from "./write-events.ts";
import { writeFailures } from "./write-failures.ts";
import { writeLeads } from "./write-leads.ts";

export interface BatchContext {
  target: ImportTarget;
  importId: string;
  /** The job that runs it; null on the command line. */
  jobId: string | null;
  actor: Actor;
  /** The change that records what is written. */
  change: Change;
  fields: readonly string[];
  /** The time limit of a statement, in milliseconds. */
  limitMs: number;
  /** Starts reading the next batch; called while only the database is working. */
  readNext?(): void;
}

/** The least time limit of a batch's statements, in milliseconds. */
export const BATCH_MS = 120_000;

/** The outcome of a batch's rows. */
export interface Placed {
  counts: RowCounts;
  failed: FailedRow[];
  /** Of leads: rows whose lead was created or changed by an earlier row. */
  repeated?: number;
}

export interface BatchOutcome extends Placed {
  identityMap: LeadIdentityMap;
}

/**
 * The checkpoint moves only from the row where the batch started, and only while the import belongs to this job. A
 * cancelled and resumed import may run again before its former job notices.
 */
const COUNTED = `UPDATE import SET rows = rows + $3, created = created + $4, updated = updated + $5,
    unchanged = unchanged + $6, skipped = skipped + $7, failed = failed + $8, change_id = coalesce(change_id, $11)
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
  const changed = change.made ? change.id : null;
  const mine = await tx.query(COUNTED, [target.projectId, importId, ...numbers, changed]);
  if (mine.length === 0) throw new JobTaken("the import was cancelled, or another run took over");
  return outcome;
}

/** Places leads or dataset rows. */
async function placed(tx: Transaction, context: BatchContext, rows: readonly ReadRow[]): Promise<Placed> {
  const { target, readNext } = context;
  if (target.rows === null) return await placeBatch(tx, context, rows);
  readNext?.();
  return await placeRows(tx, { ...context, projectId: target.projectId, rows: target.rows }, rows);
}

/** Decides a batch's rows and stores the result, without counting. */
export async function placeBatch(
  tx: Transaction,
  { target, importId, actor, change, fields, limitMs, readNext }: BatchContext,
  rows: readonly ReadRow[],
  dry?: DryLeads,
): Promise<BatchOutcome> {
  const { projectId } = target;
  await openBatch(tx, projectId, limitMs);
  const identityMap = await findLeads(tx, projectId, fields, rows, dry);
  const counts = noCounts();
  const failed: FailedRow[] = [];
  const events: NewEvent[] = [];
  const untold: UntoldChange[] = [];
  let repeated = 0;
  const yieldIfDue = eventLoopYielder();
  for (const row of rows) {
    const decision = decide(row, identityMap, target.untracked);
    count(counts, decision.outcome);
    if (decision.repeats) repeated += 1;
    if (decision.outcome === "failed") {
      failed.push({ number: row.number, row: row.line, cells: row.cells, faults: decision.faults });
    }
    events.push(...decision.events);
    if (decision.untold !== undefined) untold.push(decision.untold);
    await yieldIfDue();
  }
  // Leads that the dry run only remembers must exist for their events.
  for (const lead of identityMap.leads) if (lead.phantom) Object.assign(lead, { fresh: true, changed: true });
  await dry?.release(projectId, identityMap.leads);
  let encoded: EncodedEvents | undefined;
  await writeLeads(tx, target, importId, fields, identityMap.leads, () => {
    encoded = encodeEvents(events);
    readNext?.();
  });
  await writeEvents(tx, change, actor, encoded);
  if (dry === undefined) await recordBatch(tx, change, identityMap, events, untold);
  return { counts, failed, repeated, identityMap };
}

/** Records what a batch did as a part of the import's change. */
async function recordBatch(
  tx: Transaction,
  change: Change,
  { leads }: LeadIdentityMap,
  events: readonly NewEvent[],
  untold: readonly UntoldChange[],
): Promise<void> {
  const counts = {
    leads_created: leads.filter((lead) => lead.fresh).length,
    leads_updated: leads.filter((lead) => lead.changed && !lead.fresh).length,
    events_added: events.filter(({ type }) => !type.startsWith("lead.")).length,
  };
  if (Object.values(counts).every((count) => count === 0)) return;
  const items = untold.map(({ leadId, before, after }) => {
    return { kind: "lead", recordId: leadId, before, after, told: true } as const;
  });
  await recordItems(tx, change, counts, items);
}

/**
 * Runs one batch of a project at a time, so that two imports of a person create one lead. Sequential scans are off
 * because the planner assumes that a table that was never analyzed is empty. Async commit is safe: a crash loses a
 * batch with its checkpoint, and the end of the import waits for all.
 */
async function openBatch(tx: Transaction, projectId: string, limitMs: number): Promise<void> {
  await tx.allow(limitMs, { enable_seqscan: "off", synchronous_commit: "off" });
  await lockAllIdentities(tx, projectId);
}
