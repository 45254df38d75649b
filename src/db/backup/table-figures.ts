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

/** Waiting writers stop others behind them, so each try is short. It is also shorter than PostgreSQL's deadlock check. */
const TRY_MS = 400;
const TRIES = 20;
const PAUSE_MS = 700;

/**
 * Counts all tables at a restore point of the log (pg_create_restore_point). For a moment no transaction may have written what it has
 * not committed, so all tables are locked against writing until the snapshot is taken, then counted without locks.
 * Returns undefined if writers did not leave such a moment in about 20 seconds. Needs a superuser.
 */
export async function countAtPoint(url: string, name: string): Promise<CountedPoint | undefined> {
  const [locker, reader] = await Promise.all([openClient(url), openClient(url)]);
  try {
    const tables = await tableNames(locker);
    for (let tried = 0; tried < TRIES; tried += 1) {
      if (tried > 0) await sleep(PAUSE_MS);
      if (!(await lock(locker, tables))) continue;
      await reader.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
      const { rows } = await reader.query<{ lsn: string }>("SELECT pg_create_restore_point($1) AS lsn", [
        name,
      ]);
      await locker.query("COMMIT");
      await reader.query("SET LOCAL work_mem = '64MB'");
      const figures = await figuresOf(reader, tables);
      await reader.query("COMMIT");
      return { name, lsn: rows[0]?.lsn ?? "", tables: figures };
    }
    return undefined;
  } finally {
    await Promise.all([locker.end(), reader.end()].map((ending) => ending.catch(() => undefined)));
  }
}

/** Locks tables against writing in a transaction of the connection; returns whether it got all of them. */
async function lock(client: pg.Client, tables: readonly string[]): Promise<boolean> {
  await client.query(`BEGIN; SET LOCAL statement_timeout = ${TRY_MS}`);
  try {
    await client.query(`LOCK TABLE ${tables.join(", ")} IN SHARE MODE`);
    return true;
  } catch (error) {
    await client.query("ROLLBACK");
    // query_canceled, deadlock_detected, lock_not_available
    if (["57014", "40P01", "55P03"].includes((error as { code?: string }).code ?? "")) return false;
    throw error;
  }
}
