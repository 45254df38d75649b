import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { cancelledRecord, endJob } from "./end-job.ts";
import { JobId } from "./get-job.ts";
import { type JobRow, oneJob } from "./job-record.ts";

/**
 * Ends a bulk change at the edge of a lot: what was changed stays, and is counted; a lot under way is taken back.
 * Twice is no error; 409 for one that has ended otherwise. Answers the job as JSON text. Five round trips.
 */
export const cancelJob = memberOperation({
  name: "jobs.cancel",
  needs: "leads:write",
  input: JobId,
  async run({ db, caller }, { id }): Promise<string> {
    if (!isId("job", id)) return await refuse(db, notFound("job"));
    const row = await db.transaction(async (tx) => {
      await endJob(tx, { projectId: caller.projectId, id }, "bulk");
      const { text, values } = oneJob(caller, id);
      return (await tx.query<JobRow>(text, values))[0];
    });
    if (row === undefined) throw notFound("job");
    return cancelledRecord(row.json, "job");
  },
});
