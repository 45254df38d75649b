import { newId } from "../../../core/id.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Change, changeBy } from "../../changes/change.ts";
import type { UndoneRecord } from "../../changes/undone-record.ts";
import { findDataset } from "../../datasets/definition/dataset.ts";
import { undoRows as undoChangeRows } from "../../datasets/undo-change-rows.ts";
import { JobTaken, type RunningJob } from "../../jobs/job.ts";

/** What is left to undo: the import's change, the undo that another job began, and how far that came. */
interface Begun {
  of: string | null;
  undo: string | null;
  before: string | null;
}

const BEGUN = `SELECT i.change_id AS of, i.undo_change_id AS undo, i.undo_at AS before FROM import i
  WHERE i.project_id = $1 AND i.id = $2 AND i.state = 'undoing'`;

/** The checkpoint moves only from the item where the batch started, so that two runs cannot undo the same rows. */
const COUNT = `UPDATE import SET undo = jsonb_build_object(
    'deleted', coalesce((undo -> 'deleted')::integer, 0) + $3, 'restored', coalesce((undo -> 'restored')::integer, 0) + $4,
    'left', coalesce((undo -> 'left')::integer, 0) + $5), undo_change_id = $6, undo_at = $7
  WHERE project_id = $1 AND id = $2 AND state = 'undoing' AND undo_at IS NOT DISTINCT FROM $8 RETURNING undo`;

/** Stands for the beginning of the import: nothing is left before it. */
const START = "";

/**
 * Undoes an import into a dataset in batches: created rows are deleted, changed rows get their old values. What was
 * edited since stays and is listed. After a crash it resumes where it stopped.
 */
export async function undoRows(
  job: RunningJob,
  id: string,
  datasetId: string,
): Promise<Record<string, unknown>> {
  const { db, ref, caller, signal } = job;
  const { projectId } = ref;
  const [begun] = await db.query<Begun>(BEGUN, [projectId, id]);
  if (begun === undefined) throw taken();
  const { of } = begun;
  const undo = changeBy(caller, "undo", {
    ...{ id: begun.undo ?? newId("chg"), jobId: ref.id, about: { import_id: id, dataset_id: datasetId } },
    ...(of === null ? {} : { undoes: of }),
  });
  for (let { before } = begun; ; ) {
    if (signal.aborted) throw signal.reason as Error;
    const from: string | null = of === null ? START : before;
    const after = await db.transaction((tx) =>
      undoBatch(tx, undo, { id, datasetId, of, from, stored: before }),
    );
    if (after.before === START) return after.counts;
    before = after.before;
  }
}

async function undoBatch(
  tx: Transaction,
  undo: Change,
  batch: { id: string; datasetId: string; of: string | null; from: string | null; stored: string | null },
): Promise<{ before: string; counts: Record<string, unknown> }> {
  const { projectId } = undo.by;
  const { id, datasetId, of, from, stored } = batch;
  await findDataset(tx, projectId, datasetId, "lock");
  const { done, next } =
    of === null
      ? { done: [], next: null }
      : await undoChangeRows(tx, undo, of, from === null ? null : { id: from });
  const before = next ?? START;
  const values = [projectId, id, ...sums(done), undo.id, before, stored];
  const [counted] = await tx.query<{ undo: Record<string, unknown> }>(COUNT, values);
  if (counted === undefined) throw taken();
  return { before, counts: counted.undo };
}

/** How many rows were deleted, got their former values, and were left; a row that two batches reach counts once. */
function sums(done: readonly UndoneRecord[]): [deleted: number, restored: number, left: number] {
  let [deleted, restored, left] = [0, 0, 0];
  for (const { outcome, kept, earlier } of done) {
    if (outcome === "deleted") deleted += 1;
    if (outcome === "deleted" && earlier?.written === true) restored -= 1;
    if (outcome === "put_back" && earlier?.written !== true) restored += 1;
    if (kept.length > 0 && earlier?.kept !== true) left += 1;
  }
  return [deleted, restored, left];
}

const taken = (): JobTaken => new JobTaken("the undo is not this run's any more");
