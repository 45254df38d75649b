import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { JobRef } from "./job.ts";

const CANCEL = `UPDATE job SET state = 'cancelled', finished_at = moment()
  WHERE project_id = $1 AND id = $2 AND kind = $3 AND state IN ('waiting', 'running')`;

// A statement of its own, so that it sees what a run stored while the cancellation waited for it.
const CLEAR = `DELETE FROM job_piece USING job WHERE job_piece.project_id = $1 AND job_id = $2
  AND job.project_id = $1 AND job.id = $2 AND job.state = 'cancelled'`;

/** Cancels a job that waits or runs, and removes its pieces; one that has ended stays as it is. */
export async function endJob(tx: Transaction, { projectId, id }: JobRef, kind: string): Promise<void> {
  await tx.query(CANCEL, [projectId, id, kind]);
  await tx.query(CLEAR, [projectId, id]);
}

/** The record of a job that is to be cancelled by now; 409 where it had ended otherwise. */
export function cancelledRecord(json: string, what: string): string {
  const { state } = JSON.parse(json) as { state: string };
  if (state === "cancelled") return json;
  throw new Refusal("conflict", "already_ended", `This ${what} has ended already: it is ${state}.`);
}
