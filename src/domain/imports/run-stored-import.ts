import type { ImportMapping } from "../../contract/imports/import-mapping.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { type Change, changeBy } from "../changes/change.ts";
import { recordChange } from "../changes/record-change.ts";
import { JobTaken, type RunningJob } from "../jobs/job.ts";
import { actorOf } from "../operation/actor.ts";
import type { Sealing } from "../operation/service/service.ts";
import { storedPieces } from "./file/keep-pieces.ts";
import { recordsOf } from "./file/open-import-file.ts";
import { lockImport, type StoredImport } from "./import-record.ts";
import { missingFields } from "./mapping/create-fields.ts";
import { missingOptions } from "./mapping/create-options.ts";
import { planImport } from "./mapping/plan-import.ts";
import { BATCH_MS } from "./run/batch-context.ts";
import { checkFile } from "./run/check-file.ts";
import { type ImportRun, runImport } from "./run/run-import.ts";

const RUNS = `UPDATE import SET state = 'running', started_at = least(started_at, moment()), finished_at = NULL
  WHERE project_id = $1 AND id = $2 AND state IN ('waiting', 'running')`;

/** Removes failed rows of an earlier dry run. */
const FRESH = "DELETE FROM import_failure WHERE project_id = $1 AND import_id = $2 AND number > $3";

/** The parts of a job that a dry run or a commit uses. */
export interface ImportWork extends Pick<RunningJob, "db" | "caller" | "ref" | "signal"> {
  service: Sealing;
  /** The time limit of jobs; statements of a batch have at least their own. */
  limitMs: number;
}

/** Performs the dry run of an import's file, and returns its counts. */
export const checkImport = async (work: ImportWork, id: string): Promise<Record<string, unknown>> =>
  await checkFile(await prepared(work, id, "checking"), work.ref, id);

/** Imports the remaining rows of the file. */
export async function commitImport(work: ImportWork, id: string): Promise<Record<string, unknown>> {
  await runImport(await prepared(work, id, "running"));
  return {};
}

async function prepared(job: ImportWork, id: string, state: "checking" | "running"): Promise<ImportRun> {
  const { db, caller, ref, signal } = job;
  const { projectId } = ref;
  const limitMs = Math.max(BATCH_MS, job.limitMs);
  return await db.transaction(async (tx): Promise<ImportRun> => {
    const stored: StoredImport = await lockImport(tx, projectId, id);
    if (stored.jobId !== ref.id) throw new JobTaken("another job does it");
    if (state === "running") {
      if (stored.state !== "waiting" && stored.state !== "running")
        throw new JobTaken(`it is ${stored.state}`);
      await tx.query(RUNS, [projectId, id]);
    } else if (stored.state !== "checking") throw new JobTaken(`it is ${stored.state}`);
    await tx.query(FRESH, [projectId, id, stored.rows]);
    if (state === "running" && stored.dataset === null) await mustHaveFields(tx, projectId, stored.mapping);
    const { target, reader } = await planImport(tx, projectId, stored, stored.mapping);
    const actor = await actorOf(tx, caller);
    const change = changeOf(job, id, stored);
    if (state === "running" && stored.forgotten) await keepForgotten(tx, change);
    return {
      db,
      context: {
        ...{ target, importId: id, jobId: ref.id, actor, headers: reader.headers, limitMs, change },
      },
      reader,
      records: recordsOf(storedPieces(db, projectId, id), stored.shape),
      done: stored.rows,
      signal,
    };
  });
}

/** The change that an import makes, or goes on with. */
function changeOf(
  { service, caller, ref }: Pick<ImportWork, "service" | "caller" | "ref">,
  id: string,
  { dataset, changeId }: StoredImport,
): Change {
  const about = { import_id: id, ...(dataset === null ? {} : { dataset_id: dataset }) };
  return changeBy(service, caller, "import", {
    ...{ about, jobId: ref.id },
    ...(changeId === null ? {} : { id: changeId }),
  });
}

const GONE =
  "UPDATE change SET items_gone_at = least(items_gone_at, moment()) WHERE project_id = $1 AND id = $2";

/** A change whose first part was removed comes back without its values: an undo would take back only the rest. */
async function keepForgotten(tx: Transaction, change: Change): Promise<void> {
  await recordChange(tx, change, {});
  await tx.query(GONE, [change.by.projectId, change.id]);
}

/** Refuses an import whose fields or options were deleted since its commit: the job may not create fields, its caller perhaps could not. */
async function mustHaveFields(tx: Transaction, projectId: string, mapping: ImportMapping): Promise<void> {
  const fields = Object.keys(await missingFields(tx, projectId, mapping));
  const options = Object.entries(await missingOptions(tx, projectId, mapping)).map(
    ([field, missing]) => `${missing.join(", ")} of ${field}`,
  );
  const missing = [...fields, ...options];
  if (missing.length === 0) return;
  const text = `The project lacks ${missing.join("; ")}. Commit the import again to create them.`;
  throw new Refusal("conflict", "fields_missing", text);
}
