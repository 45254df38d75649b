import { setTimeout as sleep } from "node:timers/promises";
import { Logger, runMigrations } from "graphile-worker";
import pg from "pg";
import { within } from "../core/within.ts";
import { apply, HAS_NEEDS } from "./migration/apply.ts";
import { ANSWER_MS, CONNECT_MS, connected, END_MS, end } from "./migration/connect.ts";
import { migrationNames, readMigration } from "./migration/files.ts";
import { NEEDS, refusalOf } from "./migration/needs.ts";
import { RELEASE } from "./migration/release.ts";
import type { ApplyOptions, Report } from "./migration/without-transaction.ts";
import { KEEP_ALIVE, migrationOptions } from "./statements/session-settings.ts";
import { WORKER_SCHEMA } from "./worker-schema.ts";

const EXTENSIONS = ["pg_trgm", "btree_gin", "unaccent"];
const LOCK = 7_237_001;
/** How long to wait while another process migrates: longer than one of its migrations waits for locks. */
const WAIT_MS = 10 * 60_000;
/** How often the connection that holds the lock shows that it lives. */
const SIGN_MS = 1_000;
/**
 * After so much silence PostgreSQL ends that connection: else a holder whose network died would keep every other process from
 * starting. It is set before the lock is asked for, because the answer may be what is lost.
 */
const ENDED_IF_SILENT = { idle_session_timeout: "5s" };

export interface MigrateOptions {
  /** Applies these only: the database gets the tables of an earlier release. */
  only?: readonly string[];
  /** Returns at once, without a migration, if another process migrates. */
  ifFree?: boolean;
  /** Called before it waits for another process, and before it applies a migration; it may be called twice. */
  onBusy?: () => Promise<void>;
  /** Gives up, with the signal's reason; what is not committed is rolled back. */
  signal?: AbortSignal;
}

/**
 * Applies the missing migrations of db/migrations in order, under one advisory lock; returns their names. `report` receives what
 * a migration warns of, such as data that it had to move, what it waits for, and what was applied in which time. A contract
 * migration waits for a later call while older instances run. Throws if the database needs a newer release.
 */
export async function migrate(url: string, report?: Report, options: MigrateOptions = {}): Promise<string[]> {
  return (await alone(url, (client) => applyMissing(client, url, report, options), options)) ?? [];
}

/**
 * Does work while no other process migrates, and none can begin to; returns undefined without doing it if that is asked for with
 * `ifFree`. The connection that it is given holds the lock.
 */
export async function alone<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  options: MigrateOptions = {},
): Promise<T | undefined> {
  options.signal?.throwIfAborted();
  const client = await connected(url, {
    query_timeout: ANSWER_MS,
    options: migrationOptions(ENDED_IF_SILENT),
  });
  try {
    if (!(await lock(client, options))) return undefined;
    return await whileHeld(client, options.signal, () => work(client));
  } finally {
    await end(client);
  }
}

async function applyMissing(
  client: pg.Client,
  url: string,
  report: Report | undefined,
  { only, onBusy }: MigrateOptions,
): Promise<string[]> {
  await checkServer(client);
  await client.query("CREATE SCHEMA IF NOT EXISTS leadgate");
  await client.query(
    "CREATE TABLE IF NOT EXISTS leadgate.migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
  );
  await refuseNewer(client);
  const done = await client.query<{ name: string }>("SELECT name FROM leadgate.migration");
  const known = new Set(done.rows.map((row) => row.name));
  const names = await migrationNames();
  const unknown = only?.filter((name) => !names.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new Error(
      `The tables are those of a newer release: this one does not know ${unknown.join(", ")}. Use that release, or a newer one.`,
    );
  const missing = names.filter((name) => !known.has(name) && (only === undefined || only.includes(name)));
  if (missing.length > 0) await onBusy?.();
  const isFirst = known.size === 0;
  const applied =
    missing.length > 0 ? await applyAll(url, missing, { report, watcher: client, isFirst }) : [];
  await migrateQueue(url);
  return applied;
}

/** Throws if an applied migration needs a newer release than this one. */
async function refuseNewer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ has_needs: boolean }>(HAS_NEEDS);
  if (rows[0]?.has_needs !== true) return;
  const refusal = refusalOf((await client.query<{ needs: string }>(NEEDS)).rows);
  if (refusal !== undefined) throw refusal;
}

/** Does work while a connection holds the lock, and throws if it is lost or the signal comes. */
async function whileHeld<T>(
  client: pg.Client,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const signs = setInterval(() => client.query("").catch(reject), SIGN_MS);
  const stop = () => reject(signal?.reason);
  signal?.addEventListener("abort", stop);
  if (signal?.aborted === true) stop();
  try {
    return await Promise.race([work(), lost]);
  } finally {
    clearInterval(signs);
    signal?.removeEventListener("abort", stop);
  }
}

/** Waits, in short statements, so that each of them can be limited; returns false if it should not wait. */
async function lock(client: pg.Client, { ifFree, onBusy, signal }: MigrateOptions): Promise<boolean> {
  let isFirst = true;
  for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(50)) {
    signal?.throwIfAborted();
    const { rows } = await client.query<{ held: boolean }>("SELECT pg_try_advisory_lock($1) AS held", [LOCK]);
    if (rows[0]?.held === true) return true;
    if (ifFree === true) return false;
    if (isFirst) await onBusy?.();
    isFirst = false;
  }
  throw new Error("Another process is migrating the database. Start again when it has ended.");
}

/** Said of each view on the coordinator of a cluster, until its table is distributed; it has no consequence. */
const OF_CITUS = /that is not in Citus' metadata$|has dependency on unsupported object/;

/**
 * Applies migrations, which may take long, on a connection of their own; the other one keeps the lock. Returns the names of those
 * that were applied: behind a contract migration that waits, only expand ones are. `isFirst`: the database is new, and has one
 * line for all of them.
 */
async function applyAll(
  url: string,
  names: readonly string[],
  { isFirst, ...options }: ApplyOptions & { isFirst: boolean },
): Promise<string[]> {
  const client = await connected(url);
  client.on("notice", ({ severity, message = "" }) => {
    if (severity === "WARNING" && !OF_CITUS.test(message)) options.report?.(message);
  });
  const applied: string[] = [];
  let waits = false;
  const began = performance.now();
  try {
    for (const name of names) {
      const migration = await readMigration(name);
      if (waits && migration.header?.kind !== "expand") continue;
      const start = performance.now();
      if (await apply(client, migration, options)) {
        applied.push(name);
        const ms = since(start);
        if (!isFirst)
          options.report?.(`migration ${name} was applied in ${ms / 1_000} s`, { migration: name, ms });
      } else waits = true;
    }
    const [count, ms] = [applied.length, since(began)];
    const what = count === 1 ? "1 migration was" : `${count} migrations were`;
    if (count > 0)
      options.report?.(`${what} applied in ${ms / 1_000} s by Leadgate ${RELEASE}`, {
        ...{ migrations: count, release: RELEASE, ms },
      });
    return applied;
  } finally {
    await end(client);
  }
}

/** Milliseconds since a time of `performance.now()`. */
const since = (time: number): number => Math.round(performance.now() - time);

/** Migrates the queue's tables (by graphile-worker's own migrations) in their own schema. */
async function migrateQueue(connectionString: string): Promise<void> {
  const logger = new Logger(() => () => undefined);
  const pool = new pg.Pool({
    ...{ connectionString, max: 1, query_timeout: ANSWER_MS, connectionTimeoutMillis: CONNECT_MS },
    ...{ options: migrationOptions(), ...KEEP_ALIVE },
  });
  pool.on("error", () => undefined);
  pool.on("connect", (connection) => connection.on("error", () => undefined));
  try {
    await runMigrations({ pgPool: pool, schema: WORKER_SCHEMA, logger });
  } finally {
    await within(END_MS, pool.end());
  }
}

async function checkServer(client: pg.Client): Promise<void> {
  const version = await client.query<{ number: number; encoding: string }>(
    "SELECT current_setting('server_version_num')::int AS number, current_setting('server_encoding') AS encoding",
  );
  const server = version.rows[0];
  if (server === undefined || server.number < 150_000) {
    throw new Error(`Leadgate needs PostgreSQL 15 or newer; this server is ${server?.number ?? "unknown"}.`);
  }
  if (server.encoding !== "UTF8") {
    throw new Error(`Leadgate needs a database with the encoding UTF8; this one has ${server.encoding}.`);
  }
  const found = await client.query<{ name: string }>(
    "SELECT name FROM pg_available_extensions WHERE name = ANY($1)",
    [EXTENSIONS],
  );
  const names = new Set(found.rows.map((row) => row.name));
  const absent = EXTENSIONS.filter((name) => !names.has(name));
  if (absent.length > 0) {
    throw new Error(
      `This PostgreSQL server lacks the extensions ${absent.join(", ")}. Install its contrib package (on Debian: postgresql-contrib).`,
    );
  }
}
