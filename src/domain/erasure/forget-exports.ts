import type { Transaction } from "../../db/pool/database.ts";

/**
 * Export files that were made, or begun, before an erasure may contain the lead: finished ones expire now, and a run
 * that writes one starts again. The state is compared after waiting for a run that is just ending.
 */
const EXPIRE = `UPDATE job SET restarts = state = 'running', expires_at = CASE WHEN state = 'done' THEN now ELSE expires_at END
  FROM (SELECT moment() AS now) AS clock
  WHERE project_id = $1 AND kind = 'export' AND state IN ('running', 'done') AND (expires_at IS NULL OR expires_at > now)
  RETURNING state`;

// A separate statement, so that it sees what a run stored while the first one waited for it. A run that was interrupted
// leaves its pieces until it begins again.
const CLEAR = `DELETE FROM job_piece USING job WHERE job_piece.project_id = $1 AND job.project_id = $1 AND job.id = job_id
  AND job.kind = 'export' AND (job.restarts OR job.state = 'waiting' OR job.expires_at <= moment())`;

/** Removes export files that may contain an erased lead; returns how many were finished. Call it behind keepExportsWaiting. */
export async function forgetExports(tx: Transaction, projectId: string): Promise<number> {
  const ended = await tx.query<{ state: string }>(EXPIRE, [projectId]);
  await tx.query(CLEAR, [projectId]);
  return ended.filter(({ state }) => state === "done").length;
}
