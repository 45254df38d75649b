import { newId } from "../../../core/id.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Change, changeBy } from "../../changes/change.ts";
import { JobTaken, type RunningJob } from "../../jobs/job.ts";
import { againIfTaken } from "../../leads/identity/external-id.ts";
import type { Undone } from "../../leads/undo/undo-leads.ts";
import { FORGOTTEN_SQL, valuesGone } from "./former-values.ts";
import { leadStep } from "./lead-step.ts";
import { rowStep } from "./row-step.ts";
import { END, type UndoneBatch, type UndoStep } from "./undo-step.ts";

type Counts = Record<string, unknown>;

/** What is left to undo: the import's change, the undo that was begun, how far that came and what it counted. */
interface Begun {
  of: string | null;
  since: string | null;
  undo: string | null;
  at: string | null;
  counts: Counts;
}

const BEGUN = `SELECT i.change_id AS of, c.created_at::text AS since, i.undo_change_id AS undo, i.undo_at AS at, i.undo AS counts
  FROM import i LEFT JOIN change c ON c.project_id = $1 AND c.id = i.change_id
  WHERE i.project_id = $1 AND i.id = $2 AND i.state = 'undoing'`;

/**
 * The checkpoint moves only from the record where the batch started, so that two runs cannot undo the same records. Read
 * after the step, the change shows whether the step had all values.
 */
const COUNT = `UPDATE import i SET undo = jsonb_build_object(
    'deleted', coalesce((undo -> 'deleted')::integer, 0) + $3, 'restored', coalesce((undo -> 'restored')::integer, 0) + $4,
    'left', coalesce((undo -> 'left')::integer, 0) + $5), undo_change_id = $6, undo_at = $7
  WHERE i.project_id = $1 AND i.id = $2 AND state = 'undoing' AND undo_at IS NOT DISTINCT FROM $8
  RETURNING undo, ${FORGOTTEN_SQL} AS forgotten`;

/** What an import that wrote nothing has to undo. */
const NOTHING: UndoneBatch = { deleted: 0, restored: 0, left: 0, at: END };

/**
 * Undoes an import of leads, or into a dataset, in batches; after a crash it resumes where it stopped. Refuses (409) to go
 * on once the values that the import replaced are gone: finished batches stay undone.
 */
export async function undoImport(
  { db, ref, caller, signal }: RunningJob,
  { id, dataset }: { id: string; dataset: string | null },
): Promise<Counts> {
  const [begun] = await db.query<Begun>(BEGUN, [ref.projectId, id]);
  if (begun === undefined) throw taken();
  if (begun.at === END) return begun.counts;
  const { of, since } = begun;
  if (of !== null && since === null) throw valuesGone();
  const undone = of === null || since === null ? undefined : { id: of, since };
  const undo = changeBy(caller, "undo", {
    ...{ id: begun.undo ?? newId("chg"), jobId: ref.id },
    about: { import_id: id, ...(dataset === null ? {} : { dataset_id: dataset }) },
    ...(of === null ? {} : { undoes: of }),
  });
  const step = dataset === null ? leadStep : rowStep(dataset);
  for (let { at } = begun; ; ) {
    if (signal.aborted) throw signal.reason as Error;
    const from = at;
    const batch = await againIfTaken(() =>
      db.transaction((tx) => undoBatch(tx, undo, { id, undone, step, from })),
    );
    if (batch.at === END) return batch.counts;
    at = batch.at;
  }
}

async function undoBatch(
  tx: Transaction,
  undo: Change,
  { id, undone, step, from }: { id: string; undone: Undone | undefined; step: UndoStep; from: string | null },
): Promise<{ at: string; counts: Counts }> {
  const { deleted, restored, left, at } = undone === undefined ? NOTHING : await step(tx, undo, undone, from);
  const values = [undo.by.projectId, id, deleted, restored, left, undo.id, at, from];
  const [counted] = await tx.query<{ undo: Counts; forgotten: boolean }>(COUNT, values);
  if (counted === undefined) throw taken();
  if (counted.forgotten) throw valuesGone();
  return { at, counts: counted.undo };
}

const taken = (): JobTaken => new JobTaken("the undo is not this run's any more");
