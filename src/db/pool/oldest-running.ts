/**
 * SQL for the oldest transaction that this statement's snapshot sees running in this database, or the next one to
 * begin: whatever stands below it has ended, and is visible. `pg_snapshot_xmin` would also wait for the long
 * transactions of other databases of the cluster. A transaction counts as another database's only where PostgreSQL
 * says so; where it shows nothing (no rights to see, just ended), it counts as ours. Write it once in a statement:
 * what the others do may have changed by the second time.
 */
export const OLDEST_RUNNING = `coalesce(
    (SELECT min(running) FROM pg_snapshot_xip(pg_current_snapshot()) running WHERE NOT EXISTS (
      SELECT FROM pg_stat_get_activity(NULL) other WHERE other.backend_xid = running::xid
        AND other.datid <> (SELECT oid FROM pg_database WHERE datname = current_database()))),
    pg_snapshot_xmax(pg_current_snapshot()))`;
