import { WORKER_SCHEMA } from "../../db/worker-schema.ts";
import { type DatabaseFigures, type JobFigures, report } from "../../observe/metrics/report.ts";
import { jobOf, projectOf, TASK } from "../jobs/enqueue-job.ts";
import type { Service } from "../operation/service/service.ts";

const EVERY_MS = 30_000;

/** Other roles' transactions have no times here, unless the role is a member of pg_read_all_stats. */
const DATABASE = `WITH activity AS (
    SELECT datname = current_database() AS here, usename = current_user AS ours, state, xact_start, query_start, state_change
    FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
  ) SELECT pg_database_size(current_database()) AS bytes,
    (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(xact_start)), 0)::float8
      FROM activity WHERE here) AS transaction_seconds,
    (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(state_change)), 0)::float8
      FROM activity WHERE here AND state LIKE 'idle in transaction%') AS idle_seconds,
    (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(prepared)), 0)::float8
      FROM pg_prepared_xacts WHERE database = current_database()) AS prepared_seconds,
    (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(query_start)), 0)::float8
      FROM activity WHERE here AND ours AND state = 'active') AS statement_seconds,
    (SELECT count(*) + 1 FROM activity) AS connections,
    current_setting('max_connections')::integer AS most_connections,
    (SELECT coalesce(sum(n_dead_tup), 0)::float8 FROM pg_stat_user_tables) AS dead_rows,
    (SELECT age(datfrozenxid) FROM pg_database WHERE datname = current_database()) AS frozen_age,
    (SELECT coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::float8
      FROM pg_replication_slots) AS retained_bytes,
    extract(epoch FROM clock_timestamp())::float8 AS measured`;

const QUEUED = `SELECT DISTINCT ${projectOf("key")} AS project, ${jobOf("key")} AS job FROM ${WORKER_SCHEMA}.jobs
  WHERE task_identifier = $1 AND key IS NOT NULL`;

/** The jobs of the queue's entries, which are few, and not all jobs that are kept. */
const JOBS = `SELECT kind, state, count(*) AS count,
    extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS age
  FROM store.job WHERE project_id = ANY ($1::text[]) AND id = ANY ($2::text[]) AND state IN ('waiting', 'running')
  GROUP BY 1, 2`;

/** Reports the state of the database and of the queue. */
async function measureDatabase({ db }: Pick<Service, "db">): Promise<void> {
  const [figures] = await db.query<DatabaseFigures>(DATABASE);
  const queued = await db.query<{ project: string; job: string }>(QUEUED, [TASK]);
  const jobs =
    queued.length === 0
      ? []
      : await db.visitAll<JobFigures>(JOBS, [
          [...new Set(queued.map(({ project }) => project))],
          queued.map(({ job }) => job),
        ]);
  if (figures !== undefined) report.database(figures, jobs);
}

/**
 * Measures the database every 30 seconds, so that no scrape waits for it; one measurement at a time. Returns a function
 * that stops it.
 */
export function keepMeasured(service: Service): () => void {
  let running = false;
  const again = async () => {
    if (running) return;
    running = true;
    await measureDatabase(service).catch((error: unknown) =>
      service.log.warn({ err: error }, "the database could not be measured; it will be retried"),
    );
    running = false;
  };
  void again();
  const timer = setInterval(() => void again(), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
