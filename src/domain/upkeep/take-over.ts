import { WORKER_SCHEMA } from "../../db/worker-schema.ts";
import { TASK } from "../jobs/enqueue-job.ts";
import { holdJob } from "../jobs/hold-job.ts";
import type { Service } from "../operation/service/service.ts";

/** Old enough that whoever took the job would have its lock by now. */
const TAKEN = `SELECT key, locked_by AS worker FROM ${WORKER_SCHEMA}.jobs
  WHERE task_identifier = $1 AND locked_at < now() - interval '5 seconds' LIMIT 100`;

/**
 * Gives back to the queue what killed processes had taken out of it: a job that is taken and whose lock nobody
 * holds. The queue itself would wait four hours.
 */
export async function takeOver(service: Service): Promise<void> {
  const taken = await service.db.query<{ key: string; worker: string }>(TAKEN, [TASK]);
  for (const { key, worker } of taken) {
    await holdJob(service, key, async () => {
      await service.db.query(`SELECT ${WORKER_SCHEMA}.force_unlock_workers($1)`, [[worker]]);
    });
  }
}
