import type { Transaction } from "../../db/pool/database.ts";

/**
 * Export files that were made, or begun, before an erasure may contain the lead: a run that writes one starts again, and finished
 * ones expire now. In this order, so that a run that is just ending is found by one of them: each waits for its lock.
 */
const RESTART = `UPDATE job SET restarts = true WHERE project_id = $1 AND kind = 'export' AND state = 'running'
  AND (expires_at IS NULL OR expires_at > moment())`;
const EXPIRE = `UPDATE job SET restarts = false, expires_at = moment() WHERE project_id = $1 AND kind = 'export' AND state = 'done'
  AND (expires_at IS NULL OR expires_at > moment()) RETURNING id`;

// A separate statement, so that it sees what a run stored while the first one waited for it. A run that was interrupted
// leaves its pieces until it begins again.
const CLEAR = `DELETE FROM job_piece USING job WHERE job_piece.project_id = $1 AND job.project_id = $1 AND job.id = job_id
  AND job.kind = 'export' AND (job.restarts OR job.state = 'waiting' OR job.expires_at <= moment())`;

/** Removes export files that may contain an erased lead; returns how many were finished. Call it behind keepExportsWaiting. */
export async function forgetExports(tx: Transaction, projectId: string): Promise<number> {
  await tx.query(RESTART, [projectId]);
  const ended = await tx.query(EXPIRE, [projectId]);
  await tx.query(CLEAR, [projectId]);
  return ended.length;
}
