import { newId } from "../../../core/id.ts";
import { Refusal } from "../../../core/refusal.ts";
import { enqueueJob } from "../../jobs/enqueue-job.ts";
import { type JobRow, oneJob } from "../../jobs/job-record.ts";
import type { MemberContext } from "../../operation/operation.ts";
import { checkCount, LOT, readByFilter } from "./bulk-by-filter.ts";
import type { BulkInput } from "./bulk-input.ts";

/** How many unfinished bulk changes a project may have. */
const MOST = 20;

/** Who is meant is decided here, once: the change itself may make leads leave the filter. */
const FIX = (project: string, job: string, where: string): string => `WITH found AS (
    SELECT id, (row_number() OVER (ORDER BY id) - 1) / ${LOT} AS lot FROM lead WHERE ${where}
  ), kept AS (
    INSERT INTO job_piece (project_id, job_id, number, bytes)
    SELECT ${project}, ${job}, lot, convert_to(string_agg(id, ' ' ORDER BY id), 'UTF8') FROM found GROUP BY lot
  ) SELECT count(*) AS count FROM found`;

/**
 * Lets a worker change every lead that the filter finds now, however many, a thousand at a time, behind the caller's
 * credential. 409 unless they are as many as expected. Six round trips, more for what the input asks of the project.
 */
export async function startBulk(context: MemberContext, input: BulkInput): Promise<JobRow> {
  const { db, caller } = context;
  const { scope, where } = await readByFilter(context, input);
  const id = newId("job");
  const { expected_count: total = 0, ...asked } = input;
  return await db.transaction(async (tx) => {
    await tx.query("SELECT set_config('statement_timeout', '60s', true)");
    if (!(await enqueueJob(tx, caller, { id, kind: "bulk", input: asked, most: MOST, total }))) {
      const text = `${MOST} bulk changes are waiting already. Wait for one, or cancel one.`;
      throw new Refusal("too_many", "too_many_jobs", text, { retryAfter: 30 });
    }
    const fix = FIX(scope.project, scope.parameters.text(id), where);
    const [found] = await tx.query<{ count: number }>(fix, scope.parameters.values);
    checkCount(found?.count ?? 0, input);
    const one = oneJob(caller, id);
    const [made] = await tx.query<JobRow>(one.text, one.values);
    if (made === undefined) throw new Error("a job was not stored");
    return made;
  });
}
