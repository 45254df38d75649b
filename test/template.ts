import { readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { type EmbeddedServer, startEmbedded } from "../src/db/embedded/index.ts";
import { migrate } from "../src/db/migrate.ts";
import { copyNodes, pooledDatabase, poolOfRun } from "./citus/pool.ts";

const TEMPLATE = "leadgate_template";

/** Returns the URL of another database on the same server. */
function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Starts a PostgreSQL with the template database, without durability and passwords. No test needs them: copying a database
 * would wait for the disk, and every connection would hash 256 random bits 4,096 times. Each copy also goes through all
 * buffers several times, so there are few. Tests that kill a server start their own, with default settings.
 */
export async function startTestServer(dataDir: string): Promise<EmbeddedServer> {
  const settings = { fsync: "off", full_page_writes: "off", shared_buffers: "128MB" };
  const server = await startEmbedded({ dataDir, settings });
  const { username } = new URL(server.url);
  const { superuserUrl } = server;
  const [{ hba_file: rules = "" } = {}] = await onServer<{ hba_file: string }>(superuserUrl, "SHOW hba_file");
  writeFileSync(rules, readFileSync(rules, "utf8").replaceAll("scram-sha-256", "trust"));
  await onServer(superuserUrl, "SELECT pg_reload_conf()");
  // So that a test can decide which of two transactions that wait for each other PostgreSQL ends.
  await onServer(superuserUrl, `GRANT SET ON PARAMETER deadlock_timeout TO "${username}"`);
  await prepareTemplate(server.url);
  return server;
}

/** Makes the migrated database that every test gets a copy of. */
export async function prepareTemplate(server: string): Promise<void> {
  await onServer(server, `CREATE DATABASE ${TEMPLATE}`);
  await migrate(urlOf(server, TEMPLATE));
}

/** Creates a migrated database; returns its URL and a function that drops it. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const pool = poolOfRun();
  if (pool !== undefined) return await pooledDatabase(pool);
  const server = process.env.LEADGATE_TEST_SERVER;
  if (server === undefined) throw new Error("run the tests through: node test/run.ts [files]");
  const name = `w_${process.pid}_${Math.random().toString(36).slice(2)}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
      break;
    } catch (error) {
      // Another test may be copying the template.
      if (attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50 * attempt));
    }
  }
  return {
    url: urlOf(server, name),
    // Without FORCE: autovacuum may be connected, which only PostgreSQL itself may terminate. Remaining
    // databases end with the server.
    drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name}`).then(noop, noop),
  };
}

/**
 * Replaces a database by a copy of another, like a backup or its restore; nobody may be connected to either.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const server = urlOf(from, "postgres");
  const [source = "", target = ""] = [from, to].map((url) => new URL(url).pathname.slice(1));
  const pool = poolOfRun();
  if (pool !== undefined) return await copyNodes(pool.coordinator, source, target);
  await onServer(server, `DROP DATABASE IF EXISTS ${target}`);
  await onServer(server, `CREATE DATABASE ${target} TEMPLATE ${source} STRATEGY file_copy`);
}

const noop = () => undefined;

async function onServer<R>(server: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query(sql)).rows as R[];
  } finally {
    await client.end();
  }
}
