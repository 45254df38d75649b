import type { JobKind } from "../jobs/job.ts";
import { endImport, type ImportAct } from "./end-import.ts";
import { needsOf } from "./import-door.ts";
import { runInThread } from "./import-thread.ts";
import { checkImport, commitImport } from "./run-stored-import.ts";
import { undoImport } from "./undo/undo-import.ts";

interface JobInput {
  import_id: string;
  act: ImportAct;
  dataset?: string | null;
  /** How many rows the file's fullest column has. */
  rows?: number;
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
    const { import_id: id, act, dataset = null, rows = 0 } = job.input as JobInput;
    if (act === "undo") return await undoImport(job, { id, dataset });
    if (rows > MOST_ROWS_HERE) return await runInThread(job, { id, act, dataset });
    const work = { ...job, limitMs: job.service.config.timeLimits.job };
    return act === "check" ? await checkImport(work, id) : await commitImport(work, id);
  },
};
