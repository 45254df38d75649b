import type { Transaction } from "../../db/pool/database.ts";
import { WORKER_SCHEMA } from "../../db/worker-schema.ts";
import { actorSql } from "../operation/actor.ts";
import { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";
import type { JobRef } from "./job.ts";
import { keptCredential } from "./kept-credential.ts";

/** The only task of the queue; the job's row says its kind. */
export const TASK = "job";

/** A killed run counts as well, so that a job which kills its process is given up eventually. */
const MOST_RUNS = 25;

const QUEUE = `SELECT ${WORKER_SCHEMA}.add_job($1, $2::json, job_key => $3, max_attempts => $4)`;

/** The key of a queue entry, from which a worker finds the project and the job. */
export const queueName = ({ projectId, id }: JobRef): string => `${projectId}/${id}`;

/** The job of a queue entry. */
export function refOf(name: string): JobRef {
  const [projectId = "", id = ""] = name.split("/");
  return { projectId, id };
}

/**
 * Puts a job into the queue, in the caller's transaction. False if the project already has `most` unfinished jobs
 * of this kind.
 */
export async function enqueueJob(
  tx: Transaction,
  caller: Credential,
  job: { id: string; kind: "export" | "bulk" | "import"; input: unknown; most: number; total?: number },
): Promise<boolean> {
  const { id, kind, input, most, total = null } = job;
  const parameters = new Parameters();
  const actor = actorSql(caller, parameters);
  const [project, type] = [parameters.text(caller.projectId), parameters.text(kind)];
  const made = await tx.query(
    `INSERT INTO job (project_id, id, kind, input, total, actor, credential)
     SELECT ${project}, ${parameters.text(id)}, ${type}, ${parameters.text(JSON.stringify(input))}::jsonb,
       ${parameters.add(total)}::bigint, ${actor},
       ${parameters.text(JSON.stringify(keptCredential(caller)))}::jsonb
     WHERE (SELECT count(*) FROM job WHERE project_id = ${project} AND kind = ${type}
       AND state IN ('waiting', 'running')) < ${parameters.add(most)}::integer
     RETURNING id`,
    parameters.values,
  );
  if (made.length === 0) return false;
  const ref = { projectId: caller.projectId, id };
  await tx.query(QUEUE, [TASK, JSON.stringify(ref), queueName(ref), MOST_RUNS]);
  return true;
}
