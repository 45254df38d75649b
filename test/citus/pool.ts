import { mkdirSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { distribute } from "../../src/db/distribute/distribute.ts";

/** The coordinator of a cluster for tests, and the folder in which its free databases are listed. */
export interface Pool {
  coordinator: string;
  folder: string;
}

/** The options of a test that needs a cluster. */
export const ON_CLUSTER = {
  skip: poolOfRun() === undefined && "needs a Citus cluster: npm test -- --citus, with LEADGATE_TEST_CITUS",
};

/** Few shards, because each test's database has its own. */
const SHARDS = 4;
const EXTENSIONS = ["citus", "pg_trgm", "btree_gin", "unaccent"];

/** The pool of this run; undefined on one PostgreSQL. */
export function poolOfRun(): Pool | undefined {
  const [coordinator, folder] = [process.env.LEADGATE_TEST_CITUS, process.env.LEADGATE_TEST_CITUS_POOL];
  return coordinator === undefined || folder === undefined ? undefined : { coordinator, folder };
}

/** Makes the pool's folder, and drops the databases of runs that have ended. */
export async function openPool(coordinator: string, folder: string): Promise<Pool> {
  mkdirSync(folder, { recursive: true });
  const names = await onServer(coordinator, (client) =>
    client.query<{ name: string }>(
      "SELECT datname AS name FROM pg_database WHERE datname LIKE 'lgt\\_%' ORDER BY 1",
    ),
  );
  const left = names.rows.filter(({ name }) => !isRunning(Number(name.split("_")[1])));
  await Promise.all(left.map(({ name }) => dropDatabase(coordinator, name)));
  return { coordinator, folder };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Drops the databases that the run made. */
export async function closePool({ coordinator, folder }: Pool): Promise<void> {
  for (const name of readdirSync(folder)) await dropDatabase(coordinator, name);
}

/**
 * Takes a distributed database with no rows. Copying a template takes a cluster too long, so databases are emptied and used
 * again.
 */
export async function pooledDatabase({
  coordinator,
  folder,
}: Pool): Promise<{ url: string; drop(): Promise<void> }> {
  const name = taken(folder) ?? (await newDatabase(coordinator));
  const url = urlOf(coordinator, name);
  const schema = await schemaOf(url);
  return {
    url,
    async drop() {
      if ((await emptied(url)) && (await schemaOf(url)) === schema) writeFileSync(join(folder, name), "");
      else await dropDatabase(coordinator, name).catch(() => undefined);
    },
  };
}

/** Takes a free one out of the list: of several processes, one can remove its file. */
function taken(folder: string): string | undefined {
  return readdirSync(folder).find((name) => {
    try {
      unlinkSync(join(folder, name));
      return true;
    } catch {
      return false;
    }
  });
}

async function newDatabase(coordinator: string): Promise<string> {
  const name = await plainDatabase(coordinator);
  await distribute(urlOf(coordinator, name), { shards: SHARDS, report: () => undefined });
  return name;
}

/** What tests change and leave so: tables, views and their columns, constraints, triggers, functions. */
const SCHEMA = `SELECT md5(string_agg(item, ' ' ORDER BY item)) AS hash FROM (
    SELECT c.relname::text || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace IN ('leadgate'::regnamespace, 'store'::regnamespace) AND c.relkind IN ('r', 'v')
    UNION ALL SELECT conname::text FROM pg_constraint
    UNION ALL SELECT tgname || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT proname::text FROM pg_proc
  ) AS items (item)`;

async function schemaOf(url: string): Promise<string | undefined> {
  const found = await onServer(url, (client) => client.query<{ hash: string }>(SCHEMA));
  return found.rows[0]?.hash;
}

/** Creates an empty database with the extensions that a cluster needs, on one server. */
export async function createDatabase(server: string, name: string): Promise<void> {
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name}`));
  await onServer(urlOf(server, name), async (client) => {
    for (const extension of EXTENSIONS) await client.query(`CREATE EXTENSION ${extension}`);
  });
}

/** Creates a database on all nodes in which nothing is distributed yet. */
async function plainDatabase(coordinator: string): Promise<string> {
  // By the process of the run, which outlives those of its tests; see openPool.
  const name = `lgt_${process.ppid}_${Math.random().toString(36).slice(2)}`;
  const nodes = await onServer(coordinator, (client) =>
    client.query<{ host: string; port: number; is_coordinator: boolean }>(
      "SELECT nodename AS host, nodeport AS port, groupid = 0 AS is_coordinator FROM pg_dist_node ORDER BY groupid",
    ),
  );
  const itself = nodes.rows.find((node) => node.is_coordinator);
  const workers = nodes.rows.filter((node) => !node.is_coordinator);
  if (itself === undefined || workers.length === 0) throw new Error("the test cluster has no workers");
  for (const { host, port } of nodes.rows) {
    const server = new URL(coordinator);
    server.host = `${host}:${port}`;
    await createDatabase(server.href, name);
  }
  const url = urlOf(coordinator, name);
  await onServer(coordinator, async (turn) => {
    // Citus writes the roles of all databases, which only one can do at a time.
    await turn.query("SELECT pg_advisory_lock(1)");
    await onServer(url, async (client) => {
      await client.query("SELECT citus_set_coordinator_host($1, $2)", [itself.host, itself.port]);
      for (const { host, port } of workers) await client.query("SELECT citus_add_node($1, $2)", [host, port]);
    });
  });
  return name;
}

/** A database in which nothing is distributed yet; drop it at the end. */
export async function undistributed(coordinator: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = await plainDatabase(coordinator);
  return { url: urlOf(coordinator, name), drop: () => dropDatabase(coordinator, name) };
}

/** Tests replace the clock. */
const CLOCK = `DO $$ BEGIN
  IF pg_get_function_sqlbody('leadgate.moment'::regproc) IS DISTINCT FROM 'RETURN now()' THEN
    CREATE OR REPLACE FUNCTION leadgate.moment() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE RETURN now();
  END IF;
END $$`;

/** What drops the triggers of tests, whose functions are the only ones of the schema; see triggers.ts. */
const TRIGGERS = `WITH ours AS (SELECT oid FROM pg_proc WHERE pronamespace = 'store'::regnamespace)
  SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS drop
  FROM pg_trigger WHERE tgfoid IN (SELECT oid FROM ours) AND NOT tgisinternal
  UNION ALL SELECT format('DROP FUNCTION %s', oid::regprocedure) FROM ours`;

/** Removes all rows; false if the tables are not those of a fresh database any more. */
async function emptied(url: string): Promise<boolean> {
  try {
    return await onServer(url, async (client) => {
      const tables = await client.query<{ name: string }>(
        `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind = 'r' AND (n.nspname = 'store' OR n.nspname = 'leadgate_worker' AND c.relname <> 'migrations'
           OR n.nspname = 'leadgate' AND c.relname NOT IN ('migration', 'service_state'))`,
      );
      await client.query(
        `TRUNCATE ${tables.rows.map(({ name }) => name).join(", ")} RESTART IDENTITY CASCADE`,
      );
      for (const { drop } of (await client.query<{ drop: string }>(TRIGGERS)).rows) await client.query(drop);
      await client.query(CLOCK);
      await client.query("DELETE FROM leadgate.service_state");
      await client.query("INSERT INTO leadgate.service_state VALUES ('epoch', '1')");
      return true;
    });
  } catch {
    return false;
  }
}

/** Replaces a database by a copy of another on all nodes, as if each was restored from its backup. */
export async function copyNodes(coordinator: string, from: string, to: string): Promise<void> {
  await onNodes(coordinator, async (node) => {
    await node.query(`DROP DATABASE IF EXISTS ${to} WITH (FORCE)`);
    for (let attempt = 1; ; attempt += 1) {
      // Nodes keep connections to each other, and Citus has a process of its own in each database.
      await node.query("SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE datname = $1", [
        from,
      ]);
      try {
        await node.query(`CREATE DATABASE ${to} TEMPLATE ${from} STRATEGY file_copy`);
        return;
      } catch (error) {
        if (attempt === 20) throw error;
      }
    }
  });
}

const dropDatabase = (coordinator: string, name: string): Promise<void> =>
  onNodes(coordinator, async (node) => {
    await node.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });

async function onNodes(coordinator: string, work: (node: pg.Client) => Promise<void>): Promise<void> {
  const nodes = await onServer(coordinator, (client) =>
    client.query<{ host: string; port: number }>(
      "SELECT nodename AS host, nodeport AS port FROM pg_dist_node",
    ),
  );
  for (const { host, port } of nodes.rows) {
    const server = new URL(coordinator);
    server.host = `${host}:${port}`;
    await onServer(server.href, work);
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
