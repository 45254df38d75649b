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
export const OLDEST_RUNNING = `coalesce(
    (SELECT min(running) FROM pg_snapshot_xip(pg_current_snapshot()) running WHERE NOT EXISTS (
      SELECT FROM pg_stat_get_activity(NULL) other WHERE other.backend_xid = running::xid AND ${elsewhere("other.datid")})
      AND NOT EXISTS (SELECT FROM pg_prepared_xact() other WHERE other.transaction = running::xid AND ${elsewhere("other.dbid")})),
    pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * SQL for OLDEST_RUNNING as the feed numbers it: all of the feed below it is committed and visible. The numbers go on behind
 * those of a restored backup, whatever transaction ids the cluster is at.
 */
const FEED_END = `leadgate.feed_tx(${OLDEST_RUNNING})`;

/** Reads FEED_END as `tx`; send ACTIVITY ahead. */
export const READ_FEED_END = `SELECT ${FEED_END}::text AS tx`;

/**
 * SQL for a statement that returns the feed's end as `tx`, for a MATERIALIZED part of one that reads the feed. On a cluster the
 * coordinator's transactions number the feed, and the statement runs on another node: it is given what was read ahead, as SQL.
 */
export const horizonSql = (ahead: string | undefined): string => `SELECT ${ahead ?? FEED_END} AS tx`;
