import type { NotUndone } from "../../contract/changes/undo.ts";
import type { Needs } from "../../core/permission.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { changeBy } from "../changes/change.ts";
import { buildBehind } from "../field-index/build-indexes.ts";
import { type JobKind, JobTaken, type RunningJob } from "../jobs/job.ts";
import { againIfTaken } from "../leads/identity/external-id.ts";
import { beginTarget, noteImport } from "./open-undo.ts";
import { behindRefusals } from "./run-undo.ts";
import { firstOf, type Target, type UndoPosition, undoStep } from "./undo-step.ts";
import { type Counts, irreversible } from "./undoable.ts";

/** What a job undoes. */
export interface UndoWork {
  undo: string;
  targets: readonly Target[];
  several: boolean;
}

type JobInput = { needs: Needs } & (UndoWork | { change_id: string; since: string; counts: Counts });

/** Where the job is, and its counts so far. `at` is absent where a target begins, and null at the end. */
interface Progress {
  target: number;
  at?: UndoPosition | null;
  changed: number;
  /** How many records are kept. */
  skipped?: number;
  /** How many of these keep an opt-out, with those of earlier rounds. */
  opt_outs_kept: number;
  refused: NotUndone[];
}

const START = { target: 0, changed: 0, refused: [] };

const READ = "SELECT result FROM job WHERE project_id = $1 AND id = $2";

const CHECK = `UPDATE job SET done = done + $4, result = $5::jsonb || jsonb_build_object('skipped', coalesce((
    SELECT (counts ->> 'kept')::integer FROM change WHERE project_id = $1 AND id = $6), 0))
  WHERE project_id = $1 AND id = $2 AND attempt = $3 AND state = 'running' RETURNING result`;

/** Read once in a job, whose steps count from there. */
const OPT_OUTS = `SELECT count(*)::integer AS kept FROM change_item WHERE project_id = $1 AND change_id = $2
  AND kind = 'kept' AND after -> 'kept' @> '[{"reason": "opt_out"}]'`;

/** Holds what the change replaced until the step has ended. */
const HOLD = "SELECT items_gone_at IS NULL AS kept FROM change WHERE project_id = $1 AND id = $2 FOR SHARE";

/**
 * Undoes a large change, or many, in steps. A step, its records and its checkpoint are one transaction behind the caller's
 * door, so that each record is undone once, whatever is killed.
 */
export const undoJob: JobKind = {
  needs: (input) => (input as JobInput).needs,
  resumes: true,
  // Fields whose definition came back may need their indexes.
  afterwards: async ({ service, ref }) => buildBehind(service, ref.projectId),
  run: (job) => runUndo(job, workOf(job)),
};

/** The job of a version before this one names one change. */
function workOf({ input, changeId }: RunningJob): UndoWork {
  const given = input as JobInput;
  if ("targets" in given) return given;
  if (changeId === null) throw new Error("a job of an undo has no change");
  const { change_id: id, since, counts } = given;
  return { undo: changeId, targets: [wholeTarget(id, since, counts)], several: false };
}

/** A change as the only one that an undo takes back, whatever an earlier version of the service has done of it. */
export const wholeTarget = (id: string, since: string, counts: Counts, file?: string): Target => ({
  ...{ of: { id, since, from: null, to: null }, counts, import: file, key: null, marked: true },
  passes: ["all", "taken", "end"],
});

/** Performs the steps of an undo that are left; throws if the job was cancelled or must stop. */
export async function runUndo(job: RunningJob, work: UndoWork): Promise<Record<string, unknown>> {
  for (;;) {
    const progress = await againIfTaken(() => job.db.transaction((tx) => undoNext(job, work, tx)));
    if (progress.at === null) return { ...progress };
    if (job.signal.aborted) throw job.signal.reason as Error;
  }
}

async function undoNext(job: RunningJob, work: UndoWork, tx: Transaction): Promise<Progress> {
  const { ref, attempt } = job;
  const [row] = await tx.query<{ result: Partial<Progress> | null }>(READ, [ref.projectId, ref.id]);
  const { at, opt_outs_kept = await optOutsOf(tx, ref.projectId, work.undo), ...rest } = row?.result ?? {};
  // A position without a pass is that of a version before this one.
  const from: Progress = {
    ...START,
    ...rest,
    opt_outs_kept,
    ...(at === undefined || (at !== null && at.pass === undefined) ? {} : { at }),
  };
  const { progress, looked } =
    from.at === null ? { progress: from, looked: 0 } : await stepOf(job, work, tx, from);
  const values = [ref.projectId, ref.id, attempt, looked, JSON.stringify(progress), work.undo];
  const [mine] = await tx.query<{ result: Progress }>(CHECK, values);
  if (mine === undefined) throw new JobTaken("the job was cancelled");
  return mine.result;
}

async function optOutsOf(tx: Transaction, projectId: string, undo: string): Promise<number> {
  const [found] = await tx.query<{ kept: number }>(OPT_OUTS, [projectId, undo]);
  return found?.kept ?? 0;
}

async function stepOf(
  { service, ref, caller }: RunningJob,
  { undo: id, targets, several }: UndoWork,
  tx: Transaction,
  from: Progress,
): Promise<{ progress: Progress; looked: number }> {
  const target = targets[from.target];
  if (target === undefined) return { progress: { ...from, at: null }, looked: 0 };
  const undo = changeBy(service, caller, "undo", { id, jobId: ref.id });
  const { at: _, ...counts } = from;
  const ended = { ...counts, target: from.target + 1 };
  // Parts of one change are marked, and refused, together.
  const isFirst = from.at === undefined && targets[from.target - 1]?.of.id !== target.of.id;
  const done = await behindRefusals(tx, undo, target, several && isFirst, async () => {
    const [held] = await tx.query<{ kept: boolean }>(HOLD, [ref.projectId, target.of.id]);
    if (held?.kept !== true) throw irreversible("values_gone", null);
    if (from.at === undefined) await beginTarget(tx, undo, target);
    const at = from.at ?? firstOf(target);
    return at === null ? null : { at, step: await undoStep(tx, undo, target, at, ref.id) };
  });
  if (done === null) return { progress: ended, looked: 0 };
  if ("code" in done) return { progress: { ...ended, refused: [...counts.refused, done] }, looked: 0 };
  const { at, step } = done;
  const { next, first } = step;
  await noteImport(tx, undo, target, step, several && next === null);
  const sums = { changed: counts.changed + first.inRun, opt_outs_kept: counts.opt_outs_kept + step.optOuts };
  return {
    progress: next === null ? { ...ended, ...sums } : { ...counts, ...sums, at: next },
    looked: at.pass === "taken" ? 0 : step.done.length,
  };
}
