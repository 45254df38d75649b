import type pg from "pg";
import type { Migration } from "./files.ts";

const CREATE = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+)\s+ON ([\w.]+)/;
const DROP = /^DROP INDEX CONCURRENTLY IF EXISTS \w/;

/** How often to ask for the progress of an index, and how often to report it. */
const LOOK_MS = 1_000;
const REPORT_MS = 5_000;

/** Receives what a migration warns of, why it waits and how far it is; with `applied`, what was applied, and in which time. */
export type Report = (message: string, applied?: { ms: number } & Record<string, unknown>) => void;

export interface ApplyOptions {
  report?: Report | undefined;
  /** Another connection, which asks for the progress of an index. */
  watcher: pg.Client;
}

/**
 * Returns the statements of a migration without a transaction. Only those on indexes are allowed that can be applied again and let
 * writers pass; throws for others.
 */
export function statementsOf({ name, sql }: Pick<Migration, "name" | "sql">): string[] {
  const statements = sql
    .replaceAll(/^--.*$/gm, "")
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
  const wrong = statements.find((statement) => !CREATE.test(statement) && !DROP.test(statement));
  if (wrong === undefined) return statements;
  throw new Error(
    `migration ${name} has no transaction, so each statement must be CREATE INDEX CONCURRENTLY IF NOT EXISTS or DROP INDEX CONCURRENTLY IF EXISTS: ${wrong}`,
  );
}

/**
 * Applies the statements of a migration one after another, without a limit of time: they wait for others and nobody waits for
 * them. What was applied before a failure is found when it is applied again.
 */
export async function applyApart(
  client: pg.Client,
  migration: Migration,
  options: ApplyOptions,
): Promise<void> {
  const statements = statementsOf(migration);
  await client.query("SET lock_timeout = 0; SET search_path = leadgate, public");
  try {
    for (const statement of statements) {
      const [, index, table] = CREATE.exec(statement) ?? [];
      if (index !== undefined && table !== undefined) await dropInvalid(client, index, table);
      await watched(client, migration.name, options, () => client.query(statement));
    }
    await client.query("RESET lock_timeout; RESET search_path");
  } catch (error) {
    throw new Error(`migration ${migration.name} failed; the next start continues it`, { cause: error });
  }
}

/** Drops what a failed build left of an index. A build that still runs, of a process that was killed, is waited for. */
async function dropInvalid(client: pg.Client, index: string, table: string): Promise<void> {
  await client.query(`BEGIN; LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE; COMMIT`);
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relname = $1 AND i.indrelid = $2::regclass AND NOT i.indisvalid`,
    [index, table],
  );
  for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
}

const PROGRESS = `SELECT phase, CASE WHEN blocks_total > 0 THEN round(100.0 * blocks_done / blocks_total)::int END AS percent,
  index_relid::regclass::text AS index FROM pg_stat_progress_create_index WHERE pid = $1`;

interface Progress {
  phase: string;
  percent: number | null;
  index: string;
}

/** Does work on a connection, and reports how far its index is. */
async function watched(
  client: pg.Client,
  name: string,
  { report, watcher }: ApplyOptions,
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  let [last, lastAt] = ["", Number.NEGATIVE_INFINITY];
  const look = async () => {
    const [progress] = (await watcher.query<Progress>(PROGRESS, [rows[0]?.pid])).rows;
    if (progress === undefined) return;
    const { index, phase, percent } = progress;
    const words = `migration ${name}: index ${index}: ${phase}${percent === null ? "" : `, ${percent} %`}`;
    if (words === last || performance.now() - lastAt < REPORT_MS) return;
    [last, lastAt] = [words, performance.now()];
    report?.(words);
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}
