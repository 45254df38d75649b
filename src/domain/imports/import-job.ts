import type { JobKind, RunningJob } from "../jobs/job.ts";
import { JobTaken } from "../jobs/job.ts";
import { actorOf } from "../operation/actor.ts";
import { storedPieces } from "./file/keep-pieces.ts";
import { recordsOf } from "./file/open-import-file.ts";
import { needsOf } from "./import-door.ts";
import { lockImport, type StoredImport } from "./import-record.ts";
import { planImport } from "./mapping/plan-import.ts";
import { checkFile } from "./run/check-file.ts";
import { type ImportRun, runImport } from "./run/run-import.ts";
import { undoImport } from "./undo/undo-import.ts";
import { undoRows } from "./undo/undo-rows.ts";

const RUNS = `UPDATE import SET state = 'running', started_at = coalesce(started_at, moment()), finished_at = NULL
  WHERE project_id = $1 AND id = $2 AND state IN ('waiting', 'running')`;

/** Removes failed rows of an earlier dry run. */
const FRESH = "DELETE FROM import_failure WHERE project_id = $1 AND import_id = $2 AND number > $3";

const DONE = `UPDATE import SET state = 'done', finished_at = moment(), expires_at = moment() + interval '30 days'
  WHERE project_id = $1 AND id = $2 AND state = 'running' AND job_id = $3 RETURNING id`;

interface JobInput {
  import_id: string;
  act: "check" | "commit" | "undo";
  dataset?: string | null;
}

/** A dry run, commit or undo with its caller's credential; each resumes where its last run ended. */
export const importJob: JobKind = {
  needs: (input) => needsOf((input as JobInput).dataset ?? null),
  resumes: true,
  async run(job) {
    const { import_id: id, act, dataset } = job.input as JobInput;
    if (act === "undo")
      return typeof dataset === "string" ? await undoRows(job, id, dataset) : await undoImport(job, id);
    if (act === "check") return await checkFile(await prepared(job, id, "checking"), job, id);
    await runImport(await prepared(job, id, "running"));
    const { db, ref } = job;
    if ((await db.query(DONE, [ref.projectId, id, ref.id])).length === 0)
      throw new JobTaken("the import was cancelled");
    return {};
  },
};

async function prepared(job: RunningJob, id: string, state: "checking" | "running"): Promise<ImportRun> {
  const { db, caller, ref, signal } = job;
  const { projectId } = ref;
  return await db.transaction(async (tx): Promise<ImportRun> => {
    const stored: StoredImport = await lockImport(tx, projectId, id);
    if (stored.jobId !== ref.id) throw new JobTaken("another job does it");
    if (state === "running") {
      if (stored.state !== "waiting" && stored.state !== "running")
        throw new JobTaken(`it is ${stored.state}`);
      await tx.query(RUNS, [projectId, id]);
    } else if (stored.state !== "checking") throw new JobTaken(`it is ${stored.state}`);
    await tx.query(FRESH, [projectId, id, stored.rows]);
    const { target, reader } = await planImport(tx, projectId, stored, stored.mapping);
    const actor = await actorOf(tx, caller);
    return {
      db,
      context: { target, importId: id, jobId: ref.id, actor, fields: reader.fields },
      reader,
      records: recordsOf(storedPieces(db, projectId, id), stored.shape),
      done: stored.rows,
      signal,
    };
  });
}
