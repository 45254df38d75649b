import type { JobKind, RunningJob } from "../jobs/job.ts";
import { noteImport } from "../undo/open-undo.ts";
import { runUndo, wholeTarget } from "../undo/undo-job.ts";
import type { Target } from "../undo/undo-step.ts";
import { endImport, type ImportAct } from "./end-import.ts";
import { needsOf } from "./import-door.ts";
import { runInThread } from "./import-thread.ts";
import { checkImport, commitImport } from "./run-stored-import.ts";

interface JobInput {
  import_id: string;
  act: ImportAct;
  dataset?: string | null;
  /** How many rows the file's fullest column has. */
  rows?: number;
  /** Of an undo; none if the import wrote nothing. */
  undo?: string;
  targets?: readonly Target[];
}

/** Longer files make so much garbage that they are imported in a thread with a heap of its own; it starts in 0.3 s. */
const MOST_ROWS_HERE = 5_000;

/** A dry run, a commit or an undo, with its caller's credential; each resumes where its last run ended. */
export const importJob: JobKind = {
  needs: (input) => ({ any: [needsOf((input as JobInput).dataset ?? null)] }),
  resumes: true,
  async settle(tx, { ref, input }, result) {
    const { import_id: id, act } = input as JobInput;
    await endImport(tx, ref, { id, act, result });
  },
  async run(job) {
    const { import_id: id, act, dataset = null, rows = 0, undo, targets } = job.input as JobInput;
    if (act === "undo") return await undoImport(job, id, undo, targets);
    if (rows > MOST_ROWS_HERE) return await runInThread(job, { id, act, dataset });
    const work = { ...job, limitMs: job.service.config.timeLimits.job };
    return act === "check" ? await checkImport(work, id) : await commitImport(work, id);
  },
};

const BEGUN = `SELECT c.id, c.created_at::text AS since, c.counts, i.undo_change_id AS undo
  FROM import i JOIN change c ON c.project_id = $1 AND c.id = i.change_id WHERE i.project_id = $1 AND i.id = $2`;

/** Undoes an import. The job of a version before this one does not name its change. */
async function undoImport(
  job: RunningJob,
  id: string,
  undo: string | undefined,
  targets: readonly Target[] | undefined,
): Promise<Record<string, unknown>> {
  if (undo !== undefined && targets !== undefined)
    return await runUndo(job, { undo, targets, several: false });
  const { projectId } = job.ref;
  const [begun] = await job.db.query<{
    id: string;
    since: string;
    counts: Target["counts"];
    undo: string | null;
  }>(BEGUN, [projectId, id]);
  if (begun !== undefined && begun.undo !== null) {
    const target = wholeTarget(begun.id, begun.since, begun.counts, id);
    return await runUndo(job, { undo: begun.undo, targets: [target], several: false });
  }
  const nothing = { done: [], first: { inRun: 0, ever: 0 } };
  await noteImport(job.db, { id: "", by: job.caller }, { import: id }, nothing, false);
  return {};
}
