import type { Transaction } from "../../db/pool/database.ts";
import { type JobRef, JobTaken } from "../jobs/job.ts";

/** What a job does with an import. */
export type ImportAct = "check" | "commit" | "undo";

const MINE = "WHERE project_id = $1 AND id = $2 AND job_id = $3";

const ENDS: Readonly<Record<ImportAct, string>> = {
  check: `UPDATE import SET state = 'ready', dry_run = $4::jsonb || jsonb_build_object('finished_at', moment())
    ${MINE} AND state = 'checking' RETURNING id`,
  commit: `UPDATE import SET state = 'done', finished_at = moment(), expires_at = moment() + interval '30 days'
    ${MINE} AND state = 'running' RETURNING id`,
  undo: `UPDATE import SET state = 'undone' ${MINE} AND state = 'undoing' RETURNING id`,
};

/**
 * Gives an import the state that its job was for, in the transaction that ends the job: a process that dies between the
 * two would leave a job that finds nothing to do and never ends. Throws JobTaken if the import was cancelled.
 */
export async function endImport(
  tx: Transaction,
  { projectId, id: job }: JobRef,
  { id, act, result }: { id: string; act: ImportAct; result: Record<string, unknown> },
): Promise<void> {
  const counts = act === "check" ? [JSON.stringify(result)] : [];
  const ended = await tx.query(ENDS[act], [projectId, id, job, ...counts]);
  if (ended.length === 0) throw new JobTaken("the import was cancelled");
}
