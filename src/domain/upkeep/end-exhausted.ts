import { serviceDoor } from "../../db/pool/project-door.ts";
import { WORKER_SCHEMA } from "../../db/worker-schema.ts";
import { refOf, TASK } from "../jobs/enqueue-job.ts";
import { holdJob } from "../jobs/hold-job.ts";
import { FAILURE } from "../jobs/job.ts";
import type { Service } from "../operation/service/service.ts";

const EXHAUSTED = `SELECT id, key FROM ${WORKER_SCHEMA}.jobs
  WHERE task_identifier = $1 AND attempts >= max_attempts AND locked_at IS NULL LIMIT 100`;

const FAIL = `WITH failed AS (
    UPDATE job SET state = 'failed', error = $3::jsonb, finished_at = moment()
    WHERE project_id = $1 AND id = $2 AND state IN ('waiting', 'running') RETURNING id
  ) DELETE FROM job_piece USING failed WHERE project_id = $1 AND job_id = failed.id`;

/** Fails jobs that the queue has given up: their last run was killed or could not report its result. */
export async function endExhausted(service: Service): Promise<void> {
  const complete = (id: number) =>
    service.db.query(`SELECT ${WORKER_SCHEMA}.complete_jobs($1::bigint[])`, [[id]]);
  for (const { id, key } of await service.db.query<{ id: number; key: string | null }>(EXHAUSTED, [TASK])) {
    // The job has another entry: its process was killed just after it put the job back into the queue.
    if (key === null) await complete(id);
    else
      await holdJob(service, key, async () => {
        const ref = refOf(key);
        const own = service.db.behind(serviceDoor(ref.projectId));
        await own.query(FAIL, [ref.projectId, ref.id, JSON.stringify(FAILURE)]);
        await complete(id);
      });
  }
}
