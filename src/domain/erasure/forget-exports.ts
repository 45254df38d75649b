import type { Queryable } from "../../db/pool/database.ts";

/**
 * Export files that were made, or begun, before an erasure may contain the lead: finished ones expire now, and a run
 * that writes one starts again. The state is compared after waiting for a run that is just ending.
 */
const EXPIRE = `UPDATE job SET restarts = state = 'running', expires_at = CASE WHEN state = 'done' THEN moment() ELSE expires_at END
  WHERE project_id = $1 AND kind = 'export' AND state IN ('running', 'done') AND coalesce(expires_at > moment(), true)
  RETURNING state`;

// A separate statement, so that it sees what a run stored while the first one waited for it.
const CLEAR = `DELETE FROM job_piece USING job WHERE job_piece.project_id = $1 AND job.project_id = $1 AND job.id = job_id
  AND job.kind = 'export' AND (job.restarts OR job.expires_at <= moment())`;

/**
 * Removes export files that may contain an erased lead; returns how many were finished. It runs in the erasure's
 * transaction, and once more after it for exports that began meanwhile.
 */
export async function forgetExports(db: Pick<Queryable, "query">, projectId: string): Promise<number> {
  const ended = await db.query<{ state: string }>(EXPIRE, [projectId]);
  await db.query(CLEAR, [projectId]);
  return ended.filter(({ state }) => state === "done").length;
}
