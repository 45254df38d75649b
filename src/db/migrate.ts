import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, runMigrations } from "graphile-worker";
import pg from "pg";
import { within } from "../core/within.ts";
import { apply } from "./migration/apply.ts";
import { hangUp } from "./pool/client.ts";
import { KEEP_ALIVE, migrationOptions } from "./pool/session-settings.ts";
import { WORKER_SCHEMA } from "./worker-schema.ts";

const FOLDER = new URL("../../db/migrations/", import.meta.url);
const EXTENSIONS = ["pg_trgm", "btree_gin", "unaccent"];
const LOCK = 7_237_001;
/** How long to wait while another process migrates: longer than one of its migrations waits for locks. */
const WAIT_MS = 10 * 60_000;
const CONNECT_MS = 10_000;
/** How long an answer may take that is not a migration's own: a silent network must not hold up a start for ever. */
const ANSWER_MS = 10_000;
const END_MS = 1_000;
/** How often the connection that holds the lock shows that it lives, and after how much silence PostgreSQL ends it. */
const SIGN_MS = 1_000;
const SILENCE_MS = 5_000;

export interface MigrateOptions {
  /** Applies these only: the database gets the tables of an earlier release. */
  only?: readonly string[];
}

/**
 * Applies the missing migrations of db/migrations in order, under one advisory lock; returns their names. `report`
 * receives what a migration warns of, such as data that it had to move.
 */
export async function migrate(
  url: string,
  report?: (message: string) => void,
  options: MigrateOptions = {},
): Promise<string[]> {
  const client = await connected(url, { query_timeout: ANSWER_MS });
  try {
    await lock(client);
    return await whileHeld(client, () => applyMissing(client, url, report, options));
  } finally {
    await end(client);
  }
}

async function applyMissing(
  client: pg.Client,
  url: string,
  report?: (message: string) => void,
  { only }: MigrateOptions = {},
): Promise<string[]> {
  await checkServer(client);
  await client.query("CREATE SCHEMA IF NOT EXISTS leadgate");
  await client.query(
    "CREATE TABLE IF NOT EXISTS leadgate.migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
  );
  const done = await client.query<{ name: string }>("SELECT name FROM leadgate.migration");
  const known = new Set(done.rows.map((row) => row.name));
  const files = await migrationFiles();
  const unknown = only?.filter((name) => !files.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new Error(
      `The tables are those of a newer release: this one does not know ${unknown.join(", ")}. Use that release, or a newer one.`,
    );
  const missing = files.filter((name) => !known.has(name) && (only === undefined || only.includes(name)));
  if (missing.length > 0) await applyAll(url, missing, report);
  await migrateQueue(url);
  return missing;
}

/**
 * Does work while a connection holds the lock, and throws if it is lost. PostgreSQL ends the connection if it is silent,
 * or else a holder whose network died would keep every other process from starting.
 */
async function whileHeld<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query(`SET idle_session_timeout = ${SILENCE_MS}`);
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const signs = setInterval(() => client.query("").catch(reject), SIGN_MS);
  try {
    return await Promise.race([work(), lost]);
  } finally {
    clearInterval(signs);
  }
}

/** Ends a connection; closes it if its network is silent, which the server then notices by itself. */
async function end(client: pg.Client): Promise<void> {
  if (!(await within(END_MS, client.end()))) hangUp(client, new Error("the connection did not end"));
}

async function connected(url: string, limits: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    options: migrationOptions(),
    connectionTimeoutMillis: CONNECT_MS,
    ...KEEP_ALIVE,
    ...limits,
  });
  // The statement that follows, or the one that waits, fails as well.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Waits in short statements, so that each of them can be limited. */
async function lock(client: pg.Client): Promise<void> {
  for (const until = performance.now() + WAIT_MS; performance.now() < until; await sleep(50)) {
    const { rows } = await client.query<{ held: boolean }>("SELECT pg_try_advisory_lock($1) AS held", [LOCK]);
    if (rows[0]?.held === true) return;
  }
  throw new Error("Another process is migrating the database. Start again when it has ended.");
}

/** Applies migrations, which may take long, on a connection of their own; the other one keeps the lock. */
async function applyAll(
  url: string,
  names: readonly string[],
  report?: (message: string) => void,
): Promise<void> {
  const client = await connected(url);
  client.on("notice", ({ severity, message = "" }) => {
    if (severity === "WARNING") report?.(message);
  });
  try {
    for (const name of names)
      await apply(client, name, await readFile(new URL(name, FOLDER), "utf8"), report);
  } finally {
    await end(client);
  }
}

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

/** The names of all migrations, in order. */
async function migrationFiles(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
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
