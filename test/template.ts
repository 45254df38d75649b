import pg from "pg";
import { readPasswords } from "../src/db/embedded/server/passwords.ts";
import { migrate } from "../src/db/migrate.ts";

const TEMPLATE = "leadgate_template";

/** The URL of another database on the same server. */
function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Lets the server forget what it wrote when the machine loses its power: no test needs that, and copying a database
 * waits for the disk otherwise. Passwords of 256 random bits are as safe hashed once as 4,096 times, and each of the
 * thousands of connections pays for it twice. Tests that kill a server bring one of their own, as it is.
 */
export async function hurry(server: string, dataDir: string): Promise<void> {
  const superuser = new URL(urlOf(server, "postgres"));
  superuser.username = "postgres";
  superuser.password = (await readPasswords(dataDir, { create: false })).postgres;
  const { username, password } = new URL(server);
  await onServer(superuser.href, `SET scram_iterations = 1; ALTER ROLE "${username}" PASSWORD '${password}'`);
  for (const setting of ["fsync", "full_page_writes"])
    await onServer(superuser.href, `ALTER SYSTEM SET ${setting} = off`);
  await onServer(superuser.href, "SELECT pg_reload_conf()");
}

/** Makes the migrated database of which every test gets a copy. */
export async function prepareTemplate(server: string): Promise<void> {
  await onServer(server, `CREATE DATABASE ${TEMPLATE}`);
  await migrate(urlOf(server, TEMPLATE));
}

/** A fresh, migrated database; answers its URL and the way to drop it. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.LEADGATE_TEST_SERVER;
  if (server === undefined) throw new Error("run the tests through: node test/run.ts [files]");
  const name = `w_${process.pid}_${Math.random().toString(36).slice(2)}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
      break;
    } catch (error) {
      // another test may be copying the template at this moment
      if (attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50 * attempt));
    }
  }
  return {
    url: urlOf(server, name),
    // Without FORCE: autovacuum may be in it, which only PostgreSQL itself may send away. What stays goes with the server.
    drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name}`).catch(() => undefined),
  };
}

/** Replaces a database by a copy of another, as a backup or its restoring does; nobody may be connected to them. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const server = urlOf(from, "postgres");
  const [source, target] = [from, to].map((url) => new URL(url).pathname.slice(1));
  await onServer(server, `DROP DATABASE IF EXISTS ${target}`);
  await onServer(server, `CREATE DATABASE ${target} TEMPLATE ${source} STRATEGY file_copy`);
}

async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
