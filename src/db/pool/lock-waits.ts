import type pg from "pg";
import type { LockHolder, LockWait } from "../../observe/log/account.ts";

/** A wait names so many holders at most, those whose transactions are oldest. */
const MOST_HOLDERS = 5;

/**
 * Finds what these processes wait for, and who holds it: not those that wait in front of them, but those at the end of the chain,
 * that wait for no lock themselves. Process 0 is a prepared transaction. PostgreSQL shows a process of another role without its state
 * and its age, unless the role of this connection is a member of pg_read_all_stats.
 */
const WAITS = `WITH RECURSIVE chain AS (
    SELECT waits, holder FROM unnest($1::integer[]) waits, unnest(pg_blocking_pids(waits)) holder
    UNION SELECT waits, next FROM chain, unnest(pg_blocking_pids(holder)) next WHERE holder <> 0
  ), wanted AS (
    SELECT pid, locktype, mode, transactionid, relation, coalesce(relation, (SELECT held.relation FROM pg_locks held
        WHERE held.pid = lock.pid AND held.locktype = 'tuple' AND held.granted LIMIT 1)) AS near,
      coalesce(extract(epoch FROM clock_timestamp() - waitstart), 0)::float8 AS seconds
    FROM pg_locks lock WHERE NOT granted AND pid = ANY ($1)
  )
  SELECT wanted.pid AS waits, locktype AS kind, mode, near::regclass::text AS table, seconds, holder AS pid,
    application_name AS application, coalesce(usename, prepared.owner) AS role, left(gid, 60) AS prepared,
    CASE WHEN gid IS NOT NULL THEN 'prepared' ELSE coalesce(state, 'hidden') END AS state,
    extract(epoch FROM clock_timestamp() - coalesce(xact_start, prepared.prepared))::float8 AS open
  FROM wanted LEFT JOIN chain ON chain.waits = wanted.pid AND (holder = 0 OR pg_blocking_pids(holder) = '{}')
    LEFT JOIN pg_stat_activity activity ON activity.pid = holder
    LEFT JOIN pg_prepared_xacts prepared ON holder = 0 AND EXISTS (
      SELECT FROM pg_locks own JOIN pg_locks held USING (virtualtransaction)
      WHERE own.pid IS NULL AND held.pid IS NULL AND own.transactionid = prepared.transaction AND own.granted
        AND (held.relation = wanted.near OR held.transactionid = wanted.transactionid))
  ORDER BY open DESC NULLS LAST`;

interface Found extends Omit<LockHolder, "since">, Omit<LockWait, "since" | "blocked_by"> {
  waits: number;
  /** For how long it waits, and the holder's transaction is open, in seconds. */
  seconds: number;
  open: number | null;
}

/** Returns the waits for locks of these processes, by process; `client` has their role. */
export async function lockWaitsOf(
  client: pg.ClientBase,
  processes: readonly number[],
): Promise<Map<number, LockWait>> {
  const { rows } = await client.query<Found>(WAITS, [processes]);
  const waits = new Map<number, LockWait>();
  const ago = (seconds: number) => performance.now() - seconds * 1_000;
  for (const { waits: process, kind, mode, table, seconds, open, ...holder } of rows) {
    const wait = waits.get(process) ?? { since: ago(seconds), kind, mode, table, blocked_by: [] };
    waits.set(process, wait);
    if (holder.pid === null || wait.blocked_by.length >= MOST_HOLDERS) continue;
    wait.blocked_by.push({ ...holder, since: open === null ? null : ago(open) });
  }
  return waits;
}

/** The last wait that was found on each connection, and when it was last known to go on. */
const found = new WeakMap<pg.ClientBase, { wait: LockWait; at: number }>();

export const noteLockWait = (client: pg.ClientBase, wait: LockWait): void => {
  found.set(client, { wait, at: performance.now() });
};

/** Returns the wait for a lock that was found on a connection since then, if there was one. */
export function lockWaitSince(client: pg.ClientBase, since: number): LockWait | undefined {
  const last = found.get(client);
  return last !== undefined && last.at >= since ? last.wait : undefined;
}
