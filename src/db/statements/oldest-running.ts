import type { Statement } from "../wire/statement-batch.ts";

/**
 * Has to run before a statement with OLDEST_RUNNING, in the same transaction: PostgreSQL then shows that statement the
 * same activity. Activity that is newer than the snapshot lacks the transactions that ended in between; those of other
 * databases would count as this one's, and hold back what was long committed.
 */
export const ACTIVITY: Statement = { text: "SELECT count(*) FROM pg_stat_get_activity(NULL)", values: [] };

/** A condition on database `id`: it is another one of this server. */
const elsewhere = (id: string): string =>
  `${id} <> (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * SQL for the oldest transaction that this statement's snapshot sees running in this database, or else the next one:
 * all below it have ended and are visible. `pg_snapshot_xmin` would also wait for long transactions of the cluster's
 * other databases; a transaction counts as theirs only if PostgreSQL shows it. One that is prepared (PREPARE TRANSACTION), as nodes
 * of a Citus cluster do, belongs to no process and may last for days. Use it once in a statement.
 */
const OLDEST_RUNNING = `coalesce(
    (SELECT min(running) FROM pg_snapshot_xip(pg_current_snapshot()) running WHERE NOT EXISTS (
      SELECT FROM pg_stat_get_activity(NULL) other WHERE other.backend_xid = running::xid AND ${elsewhere("other.datid")})
      AND NOT EXISTS (SELECT FROM pg_prepared_xact() other WHERE other.transaction = running::xid AND ${elsewhere("other.dbid")})),
    pg_snapshot_xmax(pg_current_snapshot()))`;

/** The id of a lock's transaction, of which it has the last 32 bits; NULL for one behind the snapshot. */
const LOCKED = `(SELECT CASE WHEN behind < 2147483648 THEN (next - behind)::text::xid8 END
    FROM (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::numeric AS next OFFSET 0) AS snapshot,
      LATERAL (SELECT mod(next - held.transactionid::text::numeric + 4294967296, 4294967296) AS behind OFFSET 0) AS distance)`;

/**
 * SQL for the oldest transaction that has not ended on all nodes, for the coordinator of a Citus cluster: one that was prepared on its node
 * ends on the coordinator first, when a reader would find nothing of it on the node yet. Until it is committed there, its process holds the
 * lock of its own id; locks are read after the snapshot was taken.
 */
export const OLDEST_ON_ALL_NODES = `least(${OLDEST_RUNNING}, (SELECT min(${LOCKED}) FROM pg_lock_status() AS held
    WHERE held.locktype = 'transactionid' AND held.mode = 'ExclusiveLock' AND held.granted AND held.pid IS NOT NULL
      AND NOT EXISTS (SELECT FROM pg_stat_get_activity(NULL) other WHERE other.pid = held.pid AND ${elsewhere("other.datid")})))`;

/**
 * SQL for where the feed ends: all of it below is committed and visible. Its numbers go on behind those of a restored backup, whatever
 * transaction ids the cluster is at.
 */
const feedEnd = (oldest: string): string => `leadgate.feed_tx(${oldest})`;

/** Reads the end of all feeds of a cluster as `tx`, on its coordinator; send ACTIVITY ahead. */
export const CLUSTER_FEED_END = `SELECT ${feedEnd(OLDEST_ON_ALL_NODES)} AS tx`;

/**
 * SQL for a statement that returns the feed's end as `tx`, for a MATERIALIZED part of one that reads the feed. On a cluster the
 * coordinator's transactions number the feed, and the statement runs on another node: it is given what was read ahead, as SQL.
 */
export const horizonSql = (ahead: string | undefined): string =>
  `SELECT ${ahead ?? feedEnd(OLDEST_RUNNING)} AS tx`;
