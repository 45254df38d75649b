import { newId } from "../../../core/id.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Change, changeBy } from "../../changes/change.ts";
import type { UndoneRecord } from "../../changes/undone-record.ts";
import { JobTaken, type RunningJob } from "../../jobs/job.ts";
import { againIfTaken } from "../../leads/identity/external-id.ts";
import { putBackTaken } from "../../leads/undo/taken-ids.ts";
import { type Undone, undoLeads } from "../../leads/undo/undo-leads.ts";

/** What is left to undo: the import's change, the undo that another run began, and how far that came. */
interface Begun {
  of: string | null;
  since: string | null;
  undo: string | null;
  at: string | null;
}

const BEGUN = `SELECT i.change_id AS of, c.created_at::text AS since, i.undo_change_id AS undo, i.undo_at AS at
  FROM import i LEFT JOIN change c ON c.project_id = $1 AND c.id = i.change_id
  WHERE i.project_id = $1 AND i.id = $2 AND i.state = 'undoing'`;

/** The checkpoint moves only from the lead where the batch started, so that two runs cannot undo the same leads. */
const COUNT = `UPDATE import SET undo = jsonb_build_object(
    'deleted', coalesce((undo -> 'deleted')::integer, 0) + $3, 'restored', coalesce((undo -> 'restored')::integer, 0) + $4,
    'left', coalesce((undo -> 'left')::integer, 0) + $5), undo_change_id = $6, undo_at = $7
  WHERE project_id = $1 AND id = $2 AND state = 'undoing' AND undo_at IS NOT DISTINCT FROM $8 RETURNING undo`;

/** Behind all ids of leads: external ids that waited for other leads are left. */
const TAKEN = "~";
const END = "";

/**
 * Undoes an import of leads in batches: created leads are deleted, changed leads get their old values. Leads and fields
 * edited since stay and are listed, and so does an external id whose former one another lead has by now. After a crash it
 * resumes where it stopped.
 */
export async function undoImport(job: RunningJob, id: string): Promise<Record<string, unknown>> {
  const { db, ref, caller, signal } = job;
  const [begun] = await db.query<Begun>(BEGUN, [ref.projectId, id]);
  if (begun === undefined) throw taken();
  const { of, since } = begun;
  const undone = of === null || since === null ? undefined : { id: of, since };
  const undo = changeBy(caller, "undo", {
    ...{ id: begun.undo ?? newId("chg"), jobId: ref.id, about: { import_id: id } },
    ...(of === null ? {} : { undoes: of }),
  });
  for (let at = begun.at; ; ) {
    if (signal.aborted) throw signal.reason as Error;
    const from = at;
    const step = await againIfTaken(() => db.transaction((tx) => undoBatch(tx, undo, { id, undone, from })));
    if (step.at === END) return step.counts;
    at = step.at;
  }
}

async function undoBatch(
  tx: Transaction,
  undo: Change,
  { id, undone, from }: { id: string; undone: Undone | undefined; from: string | null },
): Promise<{ at: string; counts: Record<string, unknown> }> {
  const { projectId } = undo.by;
  let [deleted, restored, left, at] = [0, 0, 0, END];
  if (undone !== undefined && from === TAKEN) {
    const settled = await putBackTaken(tx, undo, undone);
    [restored, left] = [settled.first, -settled.freed];
  } else if (undone !== undefined) {
    const { done, next } = await undoLeads(tx, undo, undone, from ?? "");
    const count = (wanted: UndoneRecord["outcome"]) =>
      done.filter(({ outcome }) => outcome === wanted).length;
    [deleted, restored] = [count("deleted"), count("put_back")];
    left = done.filter(({ kept }) => kept.length > 0).length;
    at = next ?? TAKEN;
  }
  const values = [projectId, id, deleted, restored, left, undo.id, at, from];
  const [counted] = await tx.query<{ undo: Record<string, unknown> }>(COUNT, values);
  if (counted === undefined) throw taken();
  return { at, counts: counted.undo };
}

const taken = (): JobTaken => new JobTaken("the undo is not this run's any more");
