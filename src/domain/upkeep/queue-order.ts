import type { Database } from "../../db/pool/database.ts";
import { WORKER_SCHEMA } from "../../db/worker-schema.ts";
import { jobOf, LAST_PRIORITY, projectOf, TASK } from "../jobs/enqueue-job.ts";

/** `$2`: the entries whose jobs have ended (see `endedOf`). */
const ENTRIES = `SELECT id, key, ${projectOf("key")} AS project, priority, run_at, locked_at, id = ANY ($2::bigint[]) AS ended
  FROM ${WORKER_SCHEMA}.jobs WHERE task_identifier = $1 AND key IS NOT NULL
    AND (locked_at IS NOT NULL OR attempts < max_attempts)`;

const LOCKED = `SELECT id::text, ${projectOf("key")} AS project, ${jobOf("key")} AS job FROM ${WORKER_SCHEMA}.jobs
  WHERE task_identifier = $1 AND key IS NOT NULL AND locked_at IS NOT NULL`;

/** Several projects, but only those that run. */
const UNENDED = `SELECT id FROM store.job
  WHERE project_id = ANY ($1::text[]) AND id = ANY ($2::text[]) AND state IN ('waiting', 'running')`;

/** An entry that a process has taken. */
interface LockedEntry {
  id: string;
  project: string;
  job: string;
}

/** Those whose jobs have ended: an entry stays locked for a moment, because the queue removes it while the slot goes on. */
async function endedOf(db: Visiting, locked: readonly LockedEntry[]): Promise<string[]> {
  if (locked.length === 0) return [];
  const places = [[...new Set(locked.map(({ project }) => project))], locked.map(({ job }) => job)];
  const unended = new Set((await db.visitAll<{ id: string }>(UNENDED, places)).map(({ id }) => id));
  return locked.flatMap(({ id, job }) => (unended.has(job) ? [] : [id]));
}

type Visiting = Pick<Database, "query" | "visitAll">;

/**
 * Gives each waiting entry the number of its project's entries that run or come before it. The head of a project whose
 * job has ended is moved behind the heads of all others. An entry that has failed comes last until it may run again.
 */
const ORDER = `WITH entry AS (${ENTRIES}),
  placed AS (
    SELECT *, count(locked_at) OVER (PARTITION BY project) AS running, row_number() OVER (
      PARTITION BY project, locked_at IS NULL ORDER BY run_at > now() + interval '2 seconds', priority, run_at, id) AS place
    FROM entry WHERE NOT ended AND id IS DISTINCT FROM $3::bigint
  ),
  ranked AS (
    SELECT id, priority, run_at, least(running + place - 1, ${LAST_PRIORITY})::integer AS rank, place = 1 AND project = $4 AS served,
      place = 1 AND project IN (SELECT project FROM entry WHERE ended) AS being_served
    FROM placed WHERE locked_at IS NULL
  )
  SELECT ${WORKER_SCHEMA}.reschedule_jobs(ARRAY[id], priority => rank,
    run_at => CASE WHEN served OR being_served THEN greatest(run_at, now()) END)
  FROM ranked WHERE priority <> rank OR served`;

/** How often a process with a free slot looks at the queue; new entries also wake one of them. */
export const POLL_MS = 2_000;

/** An entry of the queue that has just ended. */
export interface EndedEntry {
  id: string;
  projectId: string;
}

/**
 * Orders the queue fairly: each project's first job comes before any project's second one, and projects take turns. The
 * entry that has ended does not count any more.
 */
export async function orderQueue(db: Visiting, ended?: EndedEntry): Promise<void> {
  const locked = await db.query<LockedEntry>(LOCKED, [TASK]);
  const others = locked.filter(({ id }) => id !== ended?.id);
  await db.query(ORDER, [TASK, await endedOf(db, others), ended?.id ?? null, ended?.projectId ?? null]);
}

/** An entry that has waited for longer than POLL_MS shows that no slot is free in any process. */
const WAITED = `locked_at IS NULL AND run_at < now() - interval '${POLL_MS + 1_000} ms'`;

const WHILE_OTHERS_WAIT = `${LOCKED} AND EXISTS (SELECT FROM ${WORKER_SCHEMA}.jobs
  WHERE task_identifier = $1 AND key IS NOT NULL AND attempts < max_attempts AND ${WAITED})`;

// Only one job yields at a time: the one that began last among those whose project runs several.
const YIELDS = `WITH entry AS (SELECT * FROM (${ENTRIES}) AS all_entries WHERE NOT ended),
  running AS (SELECT project, count(*) AS count FROM entry WHERE locked_at IS NOT NULL GROUP BY project)
  SELECT FROM (
    SELECT key FROM entry JOIN running USING (project) WHERE locked_at IS NOT NULL AND count > 1
    ORDER BY locked_at DESC, id DESC LIMIT 1
  ) AS last WHERE key = $3 AND EXISTS (
    SELECT FROM entry WHERE ${WAITED} AND project NOT IN (SELECT project FROM running))`;

/** Whether a running job should leave its slot to a project that waits and has none, because its own project has several. */
export async function mustYield(db: Visiting, name: string): Promise<boolean> {
  const locked = await db.query<LockedEntry>(WHILE_OTHERS_WAIT, [TASK]);
  if (locked.length < 2) return false;
  return (await db.query(YIELDS, [TASK, await endedOf(db, locked), name])).length > 0;
}
