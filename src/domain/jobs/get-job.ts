import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { type JobRow, oneJob } from "./job-record.ts";

/** A job by its id. */
export const JobId = Type.Object(
  { id: Type.String({ description: "The job's id, such as job_01k3…" }) },
  { additionalProperties: false },
);

/** A bulk change and its progress, as JSON text. */
export const getJob = memberOperation({
  name: "jobs.get",
  lane: "keyed",
  needs: "leads:write",
  changes: false,
  input: JobId,
  async run({ db, caller }, { id }): Promise<string> {
    if (!isId("job", id)) return await refuse(db, notFound("job"));
    const { text, values } = oneJob(caller, id);
    const [row] = await db.query<JobRow>(text, values, { prepare: true });
    if (row === undefined) throw notFound("job");
    return row.json;
  },
});
