import { WORKER_SCHEMA } from "../../db/worker-schema.ts";
import {
  type DatabaseFigures,
  type JobFigures,
  type RowKeeper,
  report,
} from "../../observe/metrics/report.ts";
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

/**
 * What keeps old rows that vacuum could remove otherwise, and transactions that have been open for longer than a minute; the
 * furthest first. PostgreSQL does not say since when a slot keeps them.
 */
const KEEPERS = `SELECT holder, name, pid, application, role, state, open, transactions FROM (
    SELECT CASE WHEN backend_type = 'walsender' THEN 'standby' ELSE 'transaction' END AS holder, NULL AS name, pid,
      application_name AS application, usename AS role, coalesce(state, 'hidden') AS state,
      extract(epoch FROM clock_timestamp() - xact_start)::float8 AS open,
      coalesce(greatest(age(backend_xid), age(backend_xmin)), 0) AS transactions
    FROM pg_stat_activity WHERE pid <> pg_backend_pid()
      AND (backend_type = 'walsender' AND backend_xmin IS NOT NULL OR backend_type = 'client backend' AND datname = current_database()
        AND xact_start IS NOT NULL)
    UNION ALL SELECT 'prepared', left(gid, 60), NULL, NULL, owner, 'prepared',
      extract(epoch FROM clock_timestamp() - prepared)::float8, age(transaction)
    FROM pg_prepared_xacts WHERE database = current_database()
    UNION ALL SELECT 'slot', slot_name, active_pid, NULL, NULL, CASE WHEN active THEN 'active' ELSE 'inactive' END, NULL,
      greatest(age(xmin), age(catalog_xmin))
    FROM pg_replication_slots WHERE coalesce(xmin, catalog_xmin) IS NOT NULL
  ) keepers ORDER BY transactions DESC, open DESC NULLS LAST LIMIT 20`;

interface Keeper {
  holder: RowKeeper;
  name: string | null;
  pid: number | null;
  application: string | null;
  role: string | null;
  state: string;
  /** For how long its transaction has been open, in seconds; null if unknown. */
  open: number | null;
  transactions: number;
}

/** From when on what keeps old rows is named in the log, and how often again. */
const KEPT_MS = 25_000;
const AGAIN_MS = 10 * 60_000;
/** So many are named at a time. */
const MOST_NAMED = 3;

/** What keeps old rows, since when it has been seen, and when it was last named. */
type Seen = Map<string, { since: number; toldAt: number }>;

const QUEUED = `SELECT DISTINCT ${projectOf("key")} AS project, ${jobOf("key")} AS job FROM ${WORKER_SCHEMA}.jobs
  WHERE task_identifier = $1 AND key IS NOT NULL`;

/** The jobs of the queue's entries, which are few, and not all jobs that are kept. */
const JOBS = `SELECT kind, state, count(*) AS count,
    extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS age
  FROM store.job WHERE project_id = ANY ($1::text[]) AND id = ANY ($2::text[]) AND state IN ('waiting', 'running')
  GROUP BY 1, 2`;

/**
 * Returns them without the transactions whose snapshots are only old because of another one, which has been open for longer: these
 * keep nothing themselves.
 */
function causesOf(keepers: readonly Keeper[]): Keeper[] {
  const ageOf = ({ open }: Keeper) => open ?? Number.POSITIVE_INFINITY;
  return keepers.map((each) =>
    each.holder === "transaction" &&
    keepers.some((other) => other.transactions >= each.transactions && ageOf(other) > ageOf(each))
      ? { ...each, transactions: 0 }
      : each,
  );
}

/** Names in the log what has kept old rows for a while: those that are furthest behind. */
function tellKeepers(log: Service["log"], keepers: readonly Keeper[], seen: Seen): void {
  const now = performance.now();
  const idOf = ({ holder, name, pid }: Keeper) => `${holder} ${name ?? pid}`;
  const present = new Set(keepers.map(idOf));
  for (const id of seen.keys()) if (!present.has(id)) seen.delete(id);
  let named = 0;
  for (const keeper of keepers) {
    const id = idOf(keeper);
    const last = seen.get(id) ?? { since: now, toldAt: Number.NEGATIVE_INFINITY };
    seen.set(id, last);
    const { holder, open, transactions, ...more } = keeper;
    const since = open === null ? last.since : now - open * 1_000;
    if (now - since < KEPT_MS || now - last.toldAt < AGAIN_MS || named === MOST_NAMED) continue;
    named += 1;
    last.toldAt = now;
    const known = Object.fromEntries(
      Object.entries(more).filter(([, value]) => value !== null && value !== ""),
    );
    const open_s = open === null ? undefined : Math.floor(open);
    log.warn(
      { kept_by: { holder, ...known, open_s, transactions } },
      transactions > 0 ? "vacuum cannot remove old rows because of this one" : "a transaction stays open",
    );
  }
}

/** Reports the state of the database and of the queue. */
async function measureDatabase({ db, log }: Pick<Service, "db" | "log">, seen: Seen): Promise<void> {
  const [figures] = await db.query<DatabaseFigures>(DATABASE);
  const queued = await db.query<{ project: string; job: string }>(QUEUED, [TASK]);
  const jobs =
    queued.length === 0
      ? []
      : await db.visitAll<JobFigures>(JOBS, [
          [...new Set(queued.map(({ project }) => project))],
          queued.map(({ job }) => job),
        ]);
  const keepers = causesOf(await db.query<Keeper>(KEEPERS));
  const kept = new Map<RowKeeper, number>();
  for (const { holder, transactions } of keepers)
    kept.set(holder, Math.max(kept.get(holder) ?? 0, transactions));
  if (figures !== undefined) report.database(figures, jobs, kept);
  tellKeepers(log, keepers, seen);
}

/**
 * Measures the database every 30 seconds, so that no scrape waits for it; one measurement at a time. Returns a function
 * that stops it.
 */
export function keepMeasured(service: Service): () => void {
  const seen: Seen = new Map();
  let running = false;
  const again = async () => {
    if (running) return;
    running = true;
    await measureDatabase(service, seen).catch((error: unknown) =>
      service.log.warn({ err: error }, "the database could not be measured; it will be retried"),
    );
    running = false;
  };
  void again();
  const timer = setInterval(() => void again(), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
