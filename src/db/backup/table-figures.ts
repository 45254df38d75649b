import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { WORKER_SCHEMA } from "../worker-schema.ts";
import { openClient } from "./wal/client.ts";

/** How many rows a table has, and the sum of their checksums, which does not depend on their order. */
export interface TableFigures {
  rows: number;
  checksum: string;
}

/** The tables that a backup keeps: all of ours whose rows survive a crash. */
const TABLES = `SELECT format('%I.%I', n.nspname, c.relname) AS name
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND n.nspname = ANY($1) ORDER BY 1`;

const SCHEMAS = ["leadgate", "store", WORKER_SCHEMA];

/** The names of the tables, such as `store.lead`. */
export async function tableNames(
  client: pg.ClientBase,
  schemas: readonly string[] = SCHEMAS,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(TABLES, [schemas]);
  return rows.map(({ name }) => name);
}

/** Counts the rows of tables and sums their checksums, in the transaction of the connection. */
export async function figuresOf(
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<Record<string, TableFigures>> {
  const figures: Record<string, TableFigures> = {};
  for (const table of tables) {
    // 60 bits of a hash that is the same on every machine and in every version.
    const { rows } = await client.query<TableFigures>(
      `SELECT count(*)::float8 AS rows,
         coalesce(sum(('x' || left(md5(each::text), 15))::bit(60)::bigint), 0)::text AS checksum FROM ${table} each`,
    );
    if (rows[0] !== undefined) figures[table] = rows[0];
  }
  return figures;
}

/** What is different between two counts, as lines for people; none if nothing is. */
export function differences(
  expected: Readonly<Record<string, TableFigures>>,
  found: Readonly<Record<string, TableFigures>>,
): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  return names.flatMap((name) => {
    const [then, now] = [expected[name], found[name]];
    if (then === undefined) return [`${name} was not in the backup`];
    if (now === undefined) return [`${name} is missing`];
    if (then.rows !== now.rows) return [`${name} has ${now.rows} rows instead of ${then.rows}`];
    return then.checksum === now.checksum ? [] : [`${name} has other values in its ${now.rows} rows`];
  });
}

/** A point of the log, and a count of all tables exactly there. */
export interface CountedPoint {
  name: string;
  lsn: string;
  tables: Record<string, TableFigures>;
}

/** How long a moment without writers is looked for, and the pause between two looks, in milliseconds. */
const [SEARCH_MS, PAUSE_MS] = [30_000, 2];

/**
 * Counts all tables at a restore point of the log (pg_create_restore_point), without any lock: at a moment in which no transaction writes.
 * Returns undefined if writers left no such moment in 30 seconds. `url` is that of the embedded server's superuser.
 */
export async function countAtPoint(url: string, name: string): Promise<CountedPoint | undefined> {
  const client = await openClient(url);
  try {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    // Requests come first. Parallel workers would have the usual priority.
    if (rows[0] !== undefined) setPriority(rows[0].pid, constants.priority.PRIORITY_LOW);
    await client.query("SET max_parallel_workers_per_gather = 0");
    const began = performance.now();
    for (let tried = 1; performance.now() - began < SEARCH_MS; await sleep(PAUSE_MS)) {
      if ((await ask(client, NOBODY_WRITES)) !== "true") continue;
      const point = await beginAtPoint(client, `${name}_${tried}`);
      tried += 1;
      if (point === undefined) continue;
      const tables = await figuresOf(client, await tableNames(client));
      await client.query("COMMIT");
      return { ...point, tables };
    }
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Costs no transaction id, unlike what makes sure of it. */
const NOBODY_WRITES = `SELECT (NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_xid IS NOT NULL)
  AND pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot()))::text AS it`;

/**
 * Makes a restore point and begins a transaction that sees exactly what was committed before it. This holds if no transaction had an id
 * in between, as one that writes has until it is visible to others: then nothing was committed in between, and nothing was in the log as committed
 * but not visible yet. It is known from two ids that follow each other: all before the first one have ended, and the second one was given
 * after the snapshot was taken. Returns undefined if that was not so.
 */
async function beginAtPoint(
  client: pg.Client,
  name: string,
): Promise<{ name: string; lsn: string } | undefined> {
  const next = BigInt(await ask(client, "SELECT pg_current_xact_id()::text AS it")) + 1n;
  if ((await ask(client, "SELECT pg_current_snapshot()::text AS it")) !== `${next}:${next}:`)
    return undefined;
  const lsn = await ask(client, "SELECT pg_create_restore_point($1) AS it", [name]);
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  if ((await ask(client, "SELECT pg_current_xact_id()::text AS it")) === String(next)) return { name, lsn };
  await client.query("ROLLBACK");
  return undefined;
}

/** Returns the only value, `it`, that a statement asks for. */
async function ask(client: pg.Client, sql: string, values: unknown[] = []): Promise<string> {
  const { rows } = await client.query<{ it: string }>(sql, values);
  return rows[0]?.it ?? "";
}
