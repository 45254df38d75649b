import pg from "pg";
import { hangUp, processOf } from "./pool/client.ts";

/** Tells one database from all others, on this server and elsewhere. */
const WHICH = `SELECT (SELECT system_identifier FROM pg_control_system()) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) AS database`;
const PROCESS = "SELECT pg_backend_pid() AS pid";
const BOTH = `SELECT pg_backend_pid() AS pid, * FROM (${WHICH}) AS which`;
const CONNECT_MS = 10_000;

/** Asks whether `leadgate distribute` has ended: for the last thing that it makes. */
export const DISTRIBUTED = "SELECT to_regproc('leadgate.shard_of') IS NOT NULL AS distributed";

/** Whether the projects of a database are distributed over the nodes of a cluster. */
export async function isDistributed(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<Found>(DISTRIBUTED);
  return rows[0]?.distributed === true;
}

/** Whether this database has Citus, and then whether it is a worker. */
const CITUS = "SELECT to_regclass('pg_catalog.pg_dist_local_group') IS NOT NULL AS citus";
const WORKER = "SELECT groupid <> 0 AS worker FROM pg_dist_local_group";

/** What was found at the addresses of a database. */
interface Found {
  /** Whether its projects are distributed over the nodes of a cluster. */
  distributed: boolean;
}

/** Throws unless this connection leads to one PostgreSQL or to the coordinator of a cluster. */
export async function refuseWorker(client: pg.Client, name = "DATABASE_URL"): Promise<void> {
  const [has] = (await client.query<{ citus: boolean }>(CITUS)).rows;
  if (has?.citus !== true) return;
  const [is] = (await client.query<{ worker: boolean }>(WORKER)).rows;
  if (is?.worker === true)
    throw new Error(
      `${name} leads to a worker of a cluster. It must lead to the coordinator, which numbers all writes.`,
    );
}

/**
 * Checks that connections for work that needs a session of its own reach PostgreSQL itself, no worker of a cluster, and that `direct`, if there is
 * one, is the database of `url`. Throws an error that says which setting to change.
 */
export async function checkAddresses(url: string, direct: string | undefined): Promise<Found> {
  const name = direct === undefined ? "DATABASE_URL" : "DATABASE_DIRECT_URL";
  const itself = await ask(name, direct ?? url, direct === undefined ? PROCESS : BOTH);
  if (itself.pooled) throw poolerAt(name);
  if (direct === undefined) return itself;
  const { database } = await ask("DATABASE_URL", url, BOTH);
  if (database !== itself.database) {
    throw new Error("DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.");
  }
  return itself;
}

/** Asks whether a URL leads through a pooler, which names another process than the one that answers; and what `sql` asks. */
async function ask(
  name: string,
  url: string,
  sql: string,
): Promise<Found & { pooled: boolean; database?: string }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on("error", () => undefined);
  try {
    await client.connect().catch((error: Error & { code?: string }) => {
      throw unreachable(name, error);
    });
    // A pooler that gives each statement another connection refuses this.
    await client.query("BEGIN");
    const { rows } = await client.query<{ pid: number; database?: string }>(sql);
    const distributed = await isDistributed(client);
    await refuseWorker(client, name);
    await client.query("COMMIT");
    const { pid, ...more } = rows[0] ?? { pid: 0 };
    const pooled = pid !== processOf(client);
    await client.end();
    return { pooled, ...more, distributed };
  } catch (error) {
    hangUp(client, error as Error);
    throw error;
  }
}

/** Names the setting; pg's own messages have no password. Node's error for several addresses has only a code. */
function unreachable(name: string, error: Error & { code?: string }): Error {
  const wrongPassword = error.code === "28P01" || error.code === "28000";
  const hint = wrongPassword
    ? " Characters such as # / ? @ % in its name and password must be percent-encoded."
    : "";
  return new Error(`${name} leads to no database that can be used: ${error.message || error.code}.${hint}`, {
    cause: error.cause,
  });
}

function poolerAt(name: string): Error {
  return new Error(
    name === "DATABASE_URL"
      ? "DATABASE_URL leads to a connection pooler, such as PgBouncer. Set DATABASE_DIRECT_URL as well, to the URL of PostgreSQL itself (docs/operate/database.md, Behind PgBouncer)."
      : "DATABASE_DIRECT_URL leads to a connection pooler, such as PgBouncer. It must be the URL of PostgreSQL itself.",
  );
}
