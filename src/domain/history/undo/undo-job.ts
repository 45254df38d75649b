import type { Needs } from "../../../core/permission.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { changeBy } from "../../changes/change.ts";
import { buildBehind } from "../../field-index/build-indexes.ts";
import { type JobKind, JobTaken, type RunningJob } from "../../jobs/job.ts";
import { againIfTaken } from "../../leads/identity/external-id.ts";
import { countUndone, firstOf, type UndoPosition, undoStep } from "./undo-parts.ts";

interface JobInput {
  change_id: string;
  since: string;
  counts: Partial<Record<string, number>>;
  needs: Needs;
}

/** Where the job is, and its counts so far. */
interface Progress {
  at: UndoPosition | null;
  changed: number;
  skipped: number;
}

const READ = "SELECT result FROM job WHERE project_id = $1 AND id = $2";

const CHECK = `UPDATE job SET done = done + $4, result = $5::jsonb
  WHERE project_id = $1 AND id = $2 AND attempt = $3 AND state = 'running' RETURNING id`;

/**
 * Undoes a large change in steps. A step, its records and its checkpoint are one transaction behind the caller's door, so
 * that each record is undone once, whatever is killed.
 */
export const undoJob: JobKind = {
  needs: (input) => (input as JobInput).needs,
  resumes: true,
  // Fields whose definition came back may need their indexes.
  afterwards: async ({ service, ref }) => buildBehind(service, ref.projectId),
  async run(job) {
    for (;;) {
      const progress = await againIfTaken(() => job.db.transaction((tx) => undoNext(job, tx)));
      if (progress.at === null) return { ...progress };
      if (job.signal.aborted) throw job.signal.reason as Error;
    }
  },
};

async function undoNext(
  { ref, caller, attempt, changeId, input }: RunningJob,
  tx: Transaction,
): Promise<Progress> {
  const { change_id: id, since, counts } = input as JobInput;
  const [row] = await tx.query<{ result: Progress | null }>(READ, [ref.projectId, ref.id]);
  const { at, changed, skipped } = row?.result ?? { at: firstOf({ counts }), changed: 0, skipped: 0 };
  if (at === null) return { at, changed, skipped };
  if (changeId === null) throw new Error("a job of an undo has no change");
  const undo = changeBy(caller, "undo", { id: changeId, undoes: id, jobId: ref.id });
  const { done, settled, next } = await undoStep(tx, undo, { id, since, counts }, at);
  const { kept } = countUndone(done);
  const now = done.filter(({ outcome }) => outcome !== "kept").length;
  const progress = {
    at: next,
    changed: changed + now + settled.first,
    skipped: skipped + kept - settled.freed,
  };
  const mine = await tx.query(CHECK, [ref.projectId, ref.id, attempt, done.length, JSON.stringify(progress)]);
  if (mine.length === 0) throw new JobTaken("the job was cancelled");
  return progress;
}
