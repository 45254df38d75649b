import { newId } from "../../../core/id.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { changeBy } from "../../changes/change.ts";
import { recordChange } from "../../changes/record-change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { enqueueJob } from "../../jobs/enqueue-job.ts";
import { type JobKind, JobTaken, type RunningJob } from "../../jobs/job.ts";
import { type JobRow, oneJob } from "../../jobs/job-record.ts";
import type { MemberContext } from "../../operation/operation.ts";
import { againIfTaken } from "../identity/external-id.ts";
import { changeLeads } from "../write/change-leads.ts";
import { readWith } from "../write/read-lead.ts";
import { BATCH, checkCount, readByFilter, watchShared } from "./bulk-by-filter.ts";
import { bulkChange } from "./bulk-change.ts";
import type { BulkInput } from "./bulk-input.ts";
import { sharedPatch } from "./bulk-items.ts";
import { leadOpOf } from "./bulk-results.ts";

/** The most unfinished bulk changes of a project. */
const MOST = 20;

/** Stores the ids once, because the change itself may make leads stop matching the filter. */
const FIX = (project: string, job: string, where: string): string => `WITH found AS (
    SELECT id, (row_number() OVER (ORDER BY id) - 1) / ${BATCH} AS batch FROM lead WHERE ${where}
  ), kept AS (
    INSERT INTO job_piece (project_id, job_id, number, bytes)
    SELECT ${project}, ${job}, batch, convert_to(string_agg(id, ' ' ORDER BY id), 'UTF8') FROM found GROUP BY batch
  ) SELECT count(*) AS count FROM found`;

/**
 * Starts a job that changes all leads that the filter finds now, a thousand at a time, with the caller's
 * credential. Refuses (409) if their number differs from the expected one.
 */
export async function startBulk(context: MemberContext, input: BulkInput): Promise<JobRow> {
  const { db, caller } = context;
  const { scope, where, gives } = await readByFilter(context, input);
  const id = newId("job");
  const change = bulkChange(context, input, { jobId: id });
  const { expected_count: total = 0, ...asked } = input;
  return await db.transaction(async (tx) => {
    await tx.allow(60_000);
    if (
      !(await enqueueJob(tx, caller, {
        id,
        kind: "bulk",
        input: asked,
        most: MOST,
        total,
        changeId: change.id,
      }))
    ) {
      const text = `${MOST} bulk changes are already waiting. Wait until one has finished, or cancel one.`;
      throw new Refusal("too_many", "too_many_jobs", text, { retryAfter: 30 });
    }
    const fix = FIX(scope.project, scope.parameters.text(id), where);
    const [found] = await tx.query<{ count: number }>(fix, scope.parameters.values);
    checkCount(found?.count ?? 0, input);
    await watchShared(tx, context, gives);
    await recordChange(tx, change, {});
    const one = oneJob(caller, id);
    const [made] = await tx.query<JobRow>(one.text, one.values);
    if (made === undefined) throw new Error("a job was not stored");
    return made;
  });
}

/** Reads the next batch of leads. */
const NEXT = `SELECT number, convert_from(bytes, 'UTF8') AS ids
  FROM job_piece WHERE project_id = $1 AND job_id = $2 ORDER BY number LIMIT 1`;

const COUNTS = ["changed", "unchanged", "skipped", "opt_outs_kept"]
  .map((name, i) => `'${name}', coalesce((result -> '${name}')::bigint, 0) + $${i + 5}::bigint`)
  .join(", ");

/** Records the outcome of a batch in the batch's transaction; changes nothing if another run took over the job. */
const CHECK = `WITH held AS MATERIALIZED (
    SELECT jsonb_build_object(${COUNTS}) AS counts FROM job
    WHERE project_id = $1 AND id = $2 AND attempt = $3 AND state = 'running' FOR NO KEY UPDATE
  ), mine AS (
    UPDATE job SET done = done + $5 + $6 + $7, result = counts FROM held WHERE project_id = $1 AND id = $2 RETURNING id
  ) DELETE FROM job_piece USING mine WHERE project_id = $1 AND job_id = mine.id AND number = $4 RETURNING number`;

const RESULT = "SELECT result FROM job WHERE project_id = $1 AND id = $2";

/**
 * Changes leads in batches, in the order of their ids. A batch, its timeline events and its checkpoint are one
 * transaction behind the caller's door, so that after a crash each lead is changed once and the counts are right.
 */
export const bulkJob: JobKind = {
  needs: () => ({ any: ["leads:write"] }),
  resumes: true,
  async run(job) {
    const { ref, db } = job;
    const input = job.input as BulkInput;
    const patch = await readWith(job, [input.set], (schema) => sharedPatch(input, schema) ?? {});
    while (await againIfTaken(() => db.transaction((tx) => changeNext(job, tx, input, patch)))) {
      if (job.signal.aborted) throw job.signal.reason as Error;
    }
    const [counts] = await db.query<{ result: Record<string, unknown> }>(RESULT, [ref.projectId, ref.id]);
    return counts?.result ?? {};
  },
};

/**
 * Changes the next batch; returns false if there is none. Skips leads that are deleted, would have too many tags, or
 * would get the external id of another lead.
 */
async function changeNext(
  { service, ref, caller, attempt, changeId }: RunningJob,
  tx: Transaction,
  { op, clear_opt_out: clears = false }: BulkInput,
  patch: LeadPatch,
): Promise<boolean> {
  const [batch] = await tx.query<{ number: number; ids: string }>(NEXT, [ref.projectId, ref.id]);
  if (batch === undefined) return false;
  const leads = batch.ids.split(" ").map((id, place) => ({ place, id, patch }));
  const change = changeBy(service, caller, "bulk", {
    jobId: ref.id,
    ...(changeId === null ? {} : { id: changeId }),
  });
  const written = await changeLeads(tx, change, leadOpOf(op), leads, { keepsOptOut: !clears });
  const changed = written.filter(({ outcome }) => outcome === "updated").length;
  const unchanged = written.filter(({ outcome }) => outcome === "unchanged").length;
  const kept = written.filter(({ keptOptOut }) => keptOptOut === true).length;
  const counts = [changed, unchanged, leads.length - changed - unchanged, kept];
  const mine = await tx.query(CHECK, [ref.projectId, ref.id, attempt, batch.number, ...counts]);
  if (mine.length === 0) throw new JobTaken("the job was cancelled");
  return true;
}
