import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { JobRef } from "../jobs/job.ts";
import { waitForErasure } from "./erasing-lock.ts";

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended($1, 7237006))";

/** Expires the oldest finished files that do not fit next to a file of `$3` bytes in `$4` bytes. */
const EXPIRE = `WITH kept AS (
    SELECT id, sum((result -> 'bytes')::bigint) OVER (ORDER BY finished_at DESC, id DESC) AS newer
    FROM job WHERE project_id = $1 AND id <> $2 AND kind = 'export' AND state = 'done'
      AND (expires_at IS NULL OR expires_at > moment())
  ) UPDATE job SET expires_at = moment() FROM kept
    WHERE job.project_id = $1 AND job.id = kept.id AND newer + $3::bigint > $4::bigint`;

/**
 * Makes room for a finished file in the bytes that a project may keep: the oldest files expire; clearExpired then
 * deletes them. Call it in the transaction that marks the export as done. Files that end at the same time wait for each
 * other.
 */
export async function makeRoom(
  tx: Transaction,
  { projectId, id }: JobRef,
  bytes: number,
  most: number,
): Promise<void> {
  // First, as an erasure locks the same rows in another order.
  await waitForErasure(tx, projectId);
  await tx.query(LOCK, [projectId]);
  await tx.query(EXPIRE, [projectId, id, bytes, most]);
}

/** The refusal of a file that is larger than all files of a project may be. */
export const fileTooLarge = (most: number): Refusal =>
  new Refusal(
    "unprocessable",
    "file_too_large",
    `The file is larger than ${most.toLocaleString("en")} bytes, which a project may keep. Narrow the filter, choose fewer columns, or stream the export.`,
  );
