import { readFile } from "node:fs/promises";
import pg from "pg";
import { alone, migrate } from "../migrate.ts";
import { connected, end } from "../migration/connect.ts";
import { countInstances } from "../migration/older-instances.ts";
import { migrationOptions } from "../statements/session-settings.ts";
import { checkCluster } from "./check-cluster.ts";
import { OF_PROJECTS, REFERENCE } from "./tables.ts";

const FUNCTIONS = new URL("../../../db/citus/functions.sql", import.meta.url);

/** What was done. */
interface Distributed {
  /** Tables that were distributed now. */
  tables: string[];
  nodes: number;
  shards: number;
}

interface DistributeOptions {
  /** Over how many shards, if nothing is distributed yet; by default as many as `citus.shard_count` says. */
  shards?: number | undefined;
  report: (message: string) => void;
}

/** What all nodes must agree on, as defaults of the role: sessions between nodes do not have the settings of ours. */
const ROLE_SETTINGS = {
  timezone: "UTC",
  jit: "off",
  max_parallel_workers_per_gather: "0",
  random_page_cost: "1.1",
};

/** Entries that are of no project are of the project '', because a distributed row needs one. */
const AUDIT = `UPDATE leadgate.audit SET project_id = '' WHERE project_id IS NULL;
  ALTER TABLE leadgate.audit ALTER project_id SET NOT NULL, ALTER project_id SET DEFAULT '',
    DROP CONSTRAINT audit_pkey, ADD PRIMARY KEY (project_id, id);
  DROP INDEX IF EXISTS leadgate.audit_once;
  CREATE INDEX IF NOT EXISTS audit_in_order ON leadgate.audit (id)`;

const TRIGGER_NAMES = {
  INSERT: "lead_index_inserted",
  UPDATE: "lead_index_updated",
  DELETE: "lead_index_deleted",
};

const NO_TRIGGERS = Object.values(TRIGGER_NAMES).map(
  (name) => `DROP TRIGGER IF EXISTS ${name} ON store.lead`,
);

/** Citus calls them unsafe, since it cannot know what they touch: the shards of the same project only. */
const TRIGGERS = [
  ...NO_TRIGGERS,
  ...Object.entries(TRIGGER_NAMES).map(([verb, name]) => {
    const rows = [
      ...(verb === "INSERT" ? [] : ["OLD TABLE AS gone"]),
      ...(verb === "DELETE" ? [] : ["NEW TABLE AS fresh"]),
    ];
    return `CREATE TRIGGER ${name} AFTER ${verb} ON store.lead REFERENCING ${rows.join(" ")}
      FOR EACH STATEMENT EXECUTE FUNCTION leadgate.keep_indexes()`;
  }),
];

const ROOT = "store.project";

/** The tables that are not to stay on the coordinator, each behind those that it refers to. */
const TABLES = `WITH RECURSIVE wanted AS (
    SELECT c.oid, c.oid::regclass::text AS name, n.nspname = 'leadgate' AND c.relname = ANY ($1) AS is_reference
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND (n.nspname = 'store' OR n.nspname = 'leadgate' AND (c.relname = ANY ($1) OR c.relname = ANY ($2)))
  ), depth AS (
    SELECT oid, 0 AS level FROM wanted
    UNION SELECT f.conrelid, d.level + 1 FROM pg_constraint f JOIN depth d ON d.oid = f.confrelid
    WHERE f.contype = 'f' AND f.conrelid <> f.confrelid
  ) SELECT name, is_reference, EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = wanted.oid
      AND (p.partmethod = 'h' OR is_reference AND p.partmethod = 'n' AND p.repmodel = 't')) AS distributed
  FROM wanted JOIN depth USING (oid) GROUP BY oid, name, is_reference
  ORDER BY NOT is_reference, name <> '${ROOT}', max(level), name`;

/** Shards of tables that are not logged could not be moved while they are written. */
const UNLOGGED = `SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE c.relnamespace = 'store'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'u'
    AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)`;

/** Without a primary key, a shard that is written meanwhile could not be moved: its changes are copied by whole rows. */
const WITHOUT_KEY = `SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE c.relnamespace = 'store'::regnamespace AND c.relkind = 'r' AND c.relreplident = 'd'
    AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)`;

interface Table {
  name: string;
  is_reference: boolean;
  distributed: boolean;
}

const FIRST = "SELECT create_distributed_table($1, 'project_id', shard_count => $2)";
const BESIDE = "SELECT create_distributed_table($1, 'project_id', colocate_with => $2)";
/** Frees the rows that a table had before it was distributed. Citus refuses a parameter here. */
const freeSql = (name: string) =>
  `SELECT truncate_local_data_after_distributing_table(${pg.escapeLiteral(name)})`;
const SHARDS = "SELECT count(*)::integer AS shards FROM pg_dist_shard WHERE logicalrelid = $1::regclass";

/** Copying what a table has takes as long as it takes. */
const PATIENT = {
  search_path: "public",
  client_min_messages: "error",
  lock_timeout: "0",
  idle_in_transaction_session_timeout: "0",
};

/**
 * Distributes the projects of a database over the nodes of its Citus cluster, with the rows that it has, and returns what it did.
 * What was done is found when it runs again, so a run that was ended is continued. Throws an error that says what to do.
 */
export async function distribute(url: string, { shards, report }: DistributeOptions): Promise<Distributed> {
  await onConnection(url, checkCluster);
  await migrate(url, report);
  // The connection that holds the lock has short time limits.
  const done = await alone(url, () =>
    onConnection(url, (client) => distributeAll(client, { shards, report })),
  );
  if (done === undefined) throw new Error("the database was not free");
  return done;
}

async function onConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connected(url, { options: migrationOptions(PATIENT) });
  try {
    return await work(client);
  } finally {
    await end(client);
  }
}

async function distributeAll(client: pg.Client, { shards, report }: DistributeOptions): Promise<Distributed> {
  const cluster = await checkCluster(client);
  const tables = (await client.query<Table>(TABLES, [REFERENCE, OF_PROJECTS])).rows;
  const missing = tables.filter(({ distributed }) => !distributed);
  if (missing.length > 0) await refuseRunning(client);
  await setRole(client);
  for (const { name } of (await client.query<{ name: string }>(UNLOGGED)).rows)
    await client.query(`ALTER TABLE ${name} SET LOGGED`);
  for (const { name } of (await client.query<{ name: string }>(WITHOUT_KEY)).rows)
    await client.query(`ALTER TABLE ${name} REPLICA IDENTITY FULL`);
  for (const [i, { name, is_reference: isReference }] of missing.entries()) {
    report(`distributing ${name} (${i + 1} of ${missing.length})`);
    if (name === "leadgate.audit") await client.query(`BEGIN; ${AUDIT}; COMMIT`);
    if (name === "store.lead") await client.query(NO_TRIGGERS.join("; "));
    if (isReference) await client.query("SELECT create_reference_table($1)", [name]);
    else if (name === ROOT) await client.query(FIRST, [name, shards ?? cluster.shards]);
    else await client.query(BESIDE, [name, ROOT]);
  }
  for (const name of tables.map((each) => each.name).toReversed()) await client.query(freeSql(name));
  // Each is a message of its own, because Citus passes on the message that a statement came in.
  const statements = await functions();
  await client.query("SET search_path = leadgate, public; SET citus.enable_unsafe_triggers = on");
  for (const statement of statements.slice(0, -1)) await client.query(statement);
  for (const statement of ["BEGIN", ...TRIGGERS, "COMMIT"]) await client.query(statement);
  for (const statement of statements.slice(-1)) await client.query(statement);
  const [count] = (await client.query<{ shards: number }>(SHARDS, [ROOT])).rows;
  return { tables: missing.map(({ name }) => name), nodes: cluster.nodes, shards: count?.shards ?? 0 };
}

/** The statements of the file, which an empty line separates. */
const functions = async (): Promise<string[]> => (await readFile(FUNCTIONS, "utf8")).split(/;\n\n/);

async function refuseRunning(client: pg.Client): Promise<void> {
  const count = await countInstances(client);
  if (count > 0)
    throw new Error(
      `Stop all instances first, and wait half a minute if they were killed: ${count} ran just now. Statements of theirs would fail.`,
    );
}

/** Sets what all nodes must agree on; Citus passes it on to them, also to nodes that are added later. */
async function setRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ database: string }>(
    "SELECT quote_ident(current_database()) AS database",
  );
  for (const [name, value] of Object.entries(ROLE_SETTINGS))
    await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${rows[0]?.database} SET ${name} = '${value}'`);
}
