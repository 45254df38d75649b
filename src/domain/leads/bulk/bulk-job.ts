import type { Transaction } from "../../../db/pool/database.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { type JobKind, JobTaken, type RunningJob } from "../../jobs/job.ts";
import { changeLeads } from "../write/change-leads.ts";
import { readWith } from "../write/read-with.ts";
import type { BulkInput } from "./bulk-input.ts";
import { sharedPatch } from "./bulk-items.ts";
import { changeOf } from "./bulk-results.ts";

/** The leads that come next; what follows in the transaction may take its time. */
const NEXT = `SELECT number, convert_from(bytes, 'UTF8') AS ids, set_config('statement_timeout', '60s', true)
  FROM job_piece WHERE project_id = $1 AND job_id = $2 ORDER BY number LIMIT 1`;

const COUNTS = ["changed", "unchanged", "skipped"]
  .map((name, i) => `'${name}', coalesce((result -> '${name}')::bigint, 0) + $${i + 5}::bigint`)
  .join(", ");

/** What became of the lot, in its own transaction; nothing where the job is not this run's any more. */
const CHECK = `WITH mine AS (
    UPDATE job SET done = done + $5 + $6 + $7, result = jsonb_build_object(${COUNTS})
    WHERE project_id = $1 AND id = $2 AND attempt = $3 AND state = 'running' RETURNING id
  ) DELETE FROM job_piece USING mine WHERE project_id = $1 AND job_id = mine.id AND number = $4 RETURNING number`;

const RESULT = "SELECT result FROM job WHERE project_id = $1 AND id = $2";

/**
 * Changes leads lot by lot, in the order of their ids. A lot, what its timelines tell and its checkpoint are one
 * transaction behind the caller's door: whatever kills the process, each lead is changed once, and the counts are true.
 */
export const bulkJob: JobKind = {
  needs: () => "leads:write",
  resumes: true,
  async run(job) {
    const { ref, db } = job;
    const input = job.input as BulkInput;
    const patch = await readWith(job, [input.set], (facts) => sharedPatch(input, facts) ?? {});
    while (await db.transaction((tx) => changeNext(job, tx, input, patch))) {
      if (job.signal.aborted) throw job.signal.reason as Error;
    }
    const [counts] = await db.query<{ result: Record<string, unknown> }>(RESULT, [ref.projectId, ref.id]);
    return counts?.result ?? {};
  },
};

/** Changes the next lot; false where there is none. A lead that is gone, or would have too many tags, is skipped. */
async function changeNext(
  { ref, caller, attempt }: RunningJob,
  tx: Transaction,
  { op }: BulkInput,
  patch: LeadPatch,
): Promise<boolean> {
  const [lot] = await tx.query<{ number: number; ids: string }>(NEXT, [ref.projectId, ref.id]);
  if (lot === undefined) return false;
  const leads = lot.ids.split(" ").map((id, place) => ({ place, id, patch }));
  const written = await changeLeads(tx, caller, changeOf(op), leads);
  const changed = written.filter(({ outcome }) => outcome === "updated").length;
  const unchanged = written.filter(({ outcome }) => outcome === "unchanged").length;
  const counts = [changed, unchanged, leads.length - changed - unchanged];
  const mine = await tx.query(CHECK, [ref.projectId, ref.id, attempt, lot.number, ...counts]);
  if (mine.length === 0) throw new JobTaken("the job was cancelled");
  return true;
}
