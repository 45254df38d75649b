import type pg from "pg";
import { isDistributed } from "./check-addresses.ts";
import { HAS_NEEDS } from "./migration/apply.ts";
import { ANSWER_MS, connected, end } from "./migration/connect.ts";
import { secondsOf, type TableSize, type Work, workOf } from "./migration/estimate.ts";
import { migrationNames, readMigration } from "./migration/files.ts";
import { NEEDS, refusalOf } from "./migration/needs.ts";
import { LIVING, olderThan, type Releases } from "./migration/older-instances.ts";
import { RELEASE } from "./migration/release.ts";

/** What a start of this release would do to a database, and whether others may serve it meanwhile. */
export interface UpgradePlan {
  release: string;
  migrations: PlannedMigration[];
  /** The releases of instances that run now, and whether they may keep running until they are replaced. */
  instances: { release: string | null; may_keep_running: boolean }[];
  /** When the newest regular backup was complete; null if none is known. */
  last_backup: string | null;
  backup_age_hours: number | null;
  /** Seconds that all migrations take at most, about; null if a table is distributed over a cluster, whose size is not read. */
  about_seconds: number | null;
  /** What to do first, in sentences. */
  warnings: string[];
  /** Why it cannot be applied while the service runs; null if it can. */
  reason: string | null;
}

interface PlannedMigration {
  name: string;
  kind: "expand" | "contract" | "unknown";
  needs: string | null;
  without_transaction: boolean;
  /** Whether it waits until older instances have ended. */
  waits: boolean;
  /** What takes time by the size of a table; `rows` is PostgreSQL's estimate, null before the first ANALYZE. */
  tables: { table: string; work: Work; rows: number | null; bytes: number }[];
  about_seconds: number | null;
}

const RUNNING = `SELECT to_jsonb(instance)->>'release' AS release FROM leadgate.instance
  WHERE seen_at > leadgate.moment() - ${LIVING} ORDER BY 1`;

const BACKUP = `WITH newest AS (
    SELECT max((backup->>'finished')::timestamptz) AS at
    FROM leadgate.backup_report, jsonb_array_elements(report->'backups') AS backup
  ) SELECT at, extract(epoch FROM clock_timestamp() - at)::float8 / 3600 AS hours FROM newest WHERE at IS NOT NULL`;

/** The size of the table with a name in the first of these schemas that has one, with its partitions. */
const SIZE = `WITH named AS (
    SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relname = $1 AND n.nspname = ANY ($2::text[]) AND c.relkind IN ('r', 'p')
    ORDER BY array_position($2::text[], n.nspname::text) LIMIT 1
  ), parts AS (SELECT oid FROM named UNION SELECT relid FROM named, pg_partition_tree(named.oid))
  SELECT sum(pg_table_size(p.oid))::float8 AS bytes, sum(pg_indexes_size(p.oid))::float8 AS "indexBytes",
    sum(nullif(c.reltuples, -1)) FILTER (WHERE c.relkind = 'r') AS rows
  FROM parts p JOIN pg_class c ON c.oid = p.oid HAVING count(*) > 0`;

/** A regular backup is made every night. */
const OLD_HOURS = 26;
const MAKE_ONE = "Make one first: npm run -s leadgate -- backup --to FOLDER";

/** Returns what a start of this release would do. Changes nothing. */
export async function planUpgrade(url: string): Promise<UpgradePlan> {
  const client = await connected(url, { query_timeout: ANSWER_MS });
  try {
    await client.query("BEGIN READ ONLY");
    const known = (await hasTable(client, "migration"))
      ? (await client.query<{ name: string }>("SELECT name FROM leadgate.migration")).rows
      : [];
    const names = new Set(known.map(({ name }) => name));
    const missing = (await migrationNames()).filter((name) => !names.has(name));
    const running = (await hasTable(client, "instance"))
      ? (await client.query<{ release: string | null }>(RUNNING)).rows.map(({ release }) => release)
      : [];
    const sizes = (await isDistributed(client)) ? undefined : (table: string) => sizeOf(client, table);
    const migrations: PlannedMigration[] = [];
    for (const name of missing) migrations.push(await planned(name, running, known.length > 0 ? sizes : NEW));
    const unknown = migrations.filter(({ kind }) => kind === "unknown").map(({ name }) => name);
    const refusal = known.length === 0 ? undefined : await refused(client);
    const stop =
      unknown.length > 0 && running.length > 0
        ? `Stop all instances first: those of the release before may not work with ${unknown.join(", ")}.`
        : null;
    const [backup] = (await hasTable(client, "backup_report"))
      ? (await client.query<{ at: Date; hours: number }>(BACKUP)).rows
      : [];
    return {
      release: RELEASE,
      migrations,
      instances: running.map((release) => ({ release, may_keep_running: unknown.length === 0 })),
      last_backup: backup?.at.toISOString() ?? null,
      backup_age_hours: backup === undefined ? null : tenths(backup.hours),
      about_seconds: summed(migrations.map(({ about_seconds }) => about_seconds)),
      warnings: known.length > 0 ? warningsOf(backup?.hours) : [],
      reason: refusal?.message ?? stop,
    };
  } finally {
    await end(client);
  }
}

type Sizes = (table: string) => Promise<(TableSize & { rows: number | null }) | undefined>;

/** A new database has nothing that takes time. */
const NEW: Sizes = async () => undefined;

/** `sizes` is undefined where the sizes of tables are not known. */
async function planned(name: string, running: Releases, sizes: Sizes | undefined): Promise<PlannedMigration> {
  const { header, sql } = await readMigration(name);
  const needs = header?.kind === "contract" ? header.needs : null;
  const tables: PlannedMigration["tables"] = [];
  let seconds = 0;
  for (const { table, work } of sizes === undefined ? [] : workOf(sql)) {
    const size = await sizes?.(table);
    // A name that is no table yet is made by the migration.
    if (size === undefined) continue;
    tables.push({ table, work, rows: size.rows, bytes: size.bytes });
    seconds += secondsOf(work, size);
  }
  return {
    ...{ name, kind: header?.kind ?? "unknown", needs },
    without_transaction: header?.kind === "expand" && !header.transaction,
    waits: needs !== null && olderThan(needs, running).length > 0,
    tables,
    about_seconds: sizes === undefined ? null : tenths(seconds),
  };
}

async function sizeOf(client: pg.Client, table: string): ReturnType<Sizes> {
  const [name = "", schema] = table.replaceAll('"', "").split(".").reverse();
  // Names without a schema are those of leadgate, where tables of projects have views.
  const schemas = schema === undefined ? ["leadgate", "store", "public"] : [schema];
  return (await client.query<TableSize & { rows: number | null }>(SIZE, [name, schemas])).rows[0];
}

const summed = (seconds: readonly (number | null)[]): number | null =>
  seconds.reduce((sum, each) => (sum === null || each === null ? null : tenths(sum + each)), 0);

const tenths = (value: number): number => Math.round(value * 10) / 10;

function warningsOf(backupHours: number | undefined): string[] {
  if (backupHours === undefined) return [`No instance reported a regular backup. ${MAKE_ONE}`];
  if (backupHours <= OLD_HOURS) return [];
  return [`The newest regular backup is ${Math.round(backupHours)} hours old. ${MAKE_ONE}`];
}

async function refused(client: pg.Client): Promise<Error | undefined> {
  const { rows } = await client.query<{ has_needs: boolean }>(HAS_NEEDS);
  return rows[0]?.has_needs === true
    ? refusalOf((await client.query<{ needs: string }>(NEEDS)).rows)
    : undefined;
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query("SELECT FROM pg_class WHERE oid = to_regclass($1)", [
    `leadgate.${name}`,
  ]);
  return rows.length > 0;
}
