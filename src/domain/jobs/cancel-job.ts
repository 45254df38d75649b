import { isId } from "../../core/id.ts";
import { notFound, Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { WORKER_SCHEMA } from "../../db/worker-schema.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { queueName } from "./enqueue-job.ts";
import { JobId } from "./get-job.ts";
import type { JobRef } from "./job.ts";
import { type JobRow, oneJob } from "./job-record.ts";

const CANCEL = `UPDATE job SET state = 'cancelled', finished_at = moment()
  WHERE project_id = $1 AND id = $2 AND kind = ANY ($3) AND state IN ('waiting', 'running')`;

// A separate statement, so that it sees what a run stored while the cancellation waited for it.
const CLEAR = `WITH cancelled AS (
    SELECT id FROM job WHERE project_id = $1 AND id = $2 AND state = 'cancelled'
  ), cleared AS (
    DELETE FROM job_piece USING cancelled WHERE job_piece.project_id = $1 AND job_id = cancelled.id
  ) SELECT FROM cancelled`;

/** An entry that waits would use its project's turns. One that is locked belongs to a run, which will complete it. */
const LEAVE = `SELECT ${WORKER_SCHEMA}.complete_jobs(ARRAY[id]) FROM ${WORKER_SCHEMA}.jobs
  WHERE key = $1 AND locked_at IS NULL`;

/** Cancels a waiting or running job and removes its pieces; one that has ended is unchanged. */
export async function endJob(
  tx: Transaction,
  { projectId, id }: JobRef,
  ...kinds: readonly string[]
): Promise<void> {
  await tx.query(CANCEL, [projectId, id, kinds]);
  const cancelled = await tx.query(CLEAR, [projectId, id]);
  if (cancelled.length > 0) await tx.query(LEAVE, [queueName({ projectId, id })]);
}

/** The record of a job that should be cancelled; 409 if it had ended otherwise. */
export function cancelledRecord(json: string, what: string): string {
  const { state } = JSON.parse(json) as { state: string };
  if (state === "cancelled") return json;
  throw new Refusal("conflict", "already_ended", `This ${what} has already ended; its state is ${state}.`);
}

/**
 * Stops a bulk change or an undo between two batches: finished batches stay and are counted, the current one is rolled back.
 * Cancelling again is not an error; 409 if the job has ended otherwise. Returns the job as JSON text.
 */
export const cancelJob = memberOperation({
  name: "jobs.cancel",
  needs: "leads:write",
  input: JobId,
  async run({ db, caller }, { id }): Promise<string> {
    if (!isId("job", id)) return await refuse(db, notFound("job"));
    const row = await db.transaction(async (tx) => {
      await endJob(tx, { projectId: caller.projectId, id }, "bulk", "undo");
      const { text, values } = oneJob(caller, id);
      return (await tx.query<JobRow>(text, values))[0];
    });
    if (row === undefined) throw notFound("job");
    return cancelledRecord(row.json, "job");
  },
});
