import type { Queryable, Transaction } from "../../db/pool/database.ts";
import { WORKER_SCHEMA } from "../../db/worker-schema.ts";
import { actorSql } from "../operation/actor.ts";
import { Parameters } from "../sql/parameters.ts";
import { roomSql } from "../sql/room.ts";
import type { Credential } from "../tenancy/credential.ts";
import type { JobRef, QueuedJob } from "./job.ts";
import { keptCredential } from "./kept-credential.ts";

/** The only task of the queue; the job's row says its kind. */
export const TASK = "job";

/** A killed run counts as well, so that a job which kills its process is given up eventually. */
const MOST_RUNS = 25;

/** The project of a queue entry, from its key, as SQL. */
export const projectOf = (key: string): string => `split_part(${key}, '/', 1)`;

/** The id of a queue entry's job, as SQL. */
export const jobOf = (key: string): string => `split_part(${key}, '/', 2)`;

/** Priorities are smallints, and the lowest comes first. */
export const LAST_PRIORITY = 32_767;

/** Behind the project's other entries in number, so that the first job of another one comes before its second. */
const QUEUE = `SELECT ${WORKER_SCHEMA}.add_job($1, $2::json, job_key => $3, max_attempts => $4,
  priority => (SELECT least(count(*), ${LAST_PRIORITY}) FROM ${WORKER_SCHEMA}.jobs
    WHERE task_identifier = $1 AND ${projectOf("key")} = $5)::integer)`;

/**
 * A new entry, since the queue counts the tries of the old one and delays it. A second later, the process that yields has
 * released the job's lock.
 */
const AGAIN = `SELECT id FROM ${WORKER_SCHEMA}.add_job($1, $2::json, job_key => $3, max_attempts => $4,
  run_at => now() + interval '1 second')`;

const UNFINISHED = "SELECT id FROM job WHERE project_id = $1 AND state IN ('waiting', 'running')";

/** One that has ended since, or whose entry is being added, does no harm: its run finds nothing to do, and its key is unique. */
const LOST = `SELECT id, ${WORKER_SCHEMA}.add_job($2, json_build_object('projectId', $1::text, 'id', id),
    job_key => $1 || '/' || id, max_attempts => $3)
  FROM unnest($4::text[]) AS id WHERE NOT EXISTS (SELECT FROM ${WORKER_SCHEMA}.jobs WHERE key = $1 || '/' || id)`;

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
  job: {
    id: string;
    kind: "export" | "bulk" | "import" | "undo";
    input: unknown;
    most: number;
    total?: number;
    /** The change that it makes. */
    changeId?: string;
  },
): Promise<boolean> {
  const { id, kind, input, most, total = null, changeId = null } = job;
  const parameters = new Parameters();
  const actor = actorSql(caller, parameters);
  const [project, type] = [parameters.text(caller.projectId), parameters.text(kind)];
  const unended = `job WHERE project_id = ${project} AND kind = ${type} AND state IN ('waiting', 'running')`;
  const made = await tx.query(
    `WITH ${roomSql(unended, `${parameters.add(most)}::integer`)}, made AS (
       INSERT INTO job (project_id, id, kind, input, total, actor, credential, change_id)
     SELECT ${project}, ${parameters.text(id)}, ${type}, ${parameters.text(JSON.stringify(input))}::jsonb,
       ${parameters.add(total)}::bigint, ${actor},
       ${parameters.text(JSON.stringify(keptCredential(caller)))}::jsonb, ${parameters.add(changeId)}::text
       FROM room RETURNING id
     ) SELECT id FROM made`,
    parameters.values,
  );
  if (made.length === 0) return false;
  const ref = { projectId: caller.projectId, id };
  const queued: QueuedJob = { ...ref, trace: tx.span?.trace.headers(tx.span).traceparent };
  await tx.query(QUEUE, [TASK, JSON.stringify(queued), queueName(ref), MOST_RUNS, ref.projectId]);
  return true;
}

/**
 * Puts a running job back into the queue, where it is its project's next one; the run's own entry must then be completed.
 * Throws if there is no new entry, because another process has returned the run's own to the queue.
 */
export async function enqueueAgain(db: Queryable, ref: JobRef, ownEntry: string): Promise<void> {
  const values = [TASK, JSON.stringify(ref), queueName(ref), MOST_RUNS];
  const [made] = await db.query<{ id: number }>(AGAIN, values);
  if (made === undefined || String(made.id) === ownEntry) throw new Error("the job is in the queue already");
}

/** Puts a project's unfinished jobs that have no entry into the queue; returns their ids. */
export async function enqueueLost(db: Pick<Queryable, "query">, projectId: string): Promise<string[]> {
  const unfinished = (await db.query<{ id: string }>(UNFINISHED, [projectId])).map(({ id }) => id);
  if (unfinished.length === 0) return [];
  const lost = await db.query<{ id: string }>(LOST, [projectId, TASK, MOST_RUNS, unfinished]);
  return lost.map(({ id }) => id);
}
