import pg from "pg";
import { distribute } from "../../../src/db/distribute/distribute.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { undistributed } from "../../../test/citus/pool.ts";
import type { BenchDatabase } from "../support/database.ts";

type Database = Pick<BenchDatabase, "url" | "sql">;

/** Two databases on the servers of one cluster: one only on the coordinator's server, one that can be distributed. */
export interface TwoDatabases extends AsyncDisposable {
  one: Database;
  cluster: Database;
  /** Distributes the second one; returns how long that took, in seconds, and over how many shards. */
  distribute(): Promise<{ seconds: number; shards: number }>;
}

const SHARDS = 32;

/** Creates both, migrated and empty. `coordinator` is the URL of the cluster's coordinator. */
export async function twoDatabases(coordinator: string): Promise<TwoDatabases> {
  const both = await Promise.all([undistributed(coordinator), undistributed(coordinator)]);
  for (const { url } of both) await migrate(url);
  const pools = both.map(({ url }) => poolOf(url));
  const [one, cluster] = both.map(({ url }, i) => ({
    url,
    sql: async <R>(text: string, values: readonly unknown[] = []) =>
      ((await pools[i]?.query(text, [...values]))?.rows ?? []) as R[],
  }));
  if (one === undefined || cluster === undefined) throw new Error("two databases were not made");
  return {
    one,
    cluster,
    async distribute() {
      const began = performance.now();
      const { shards } = await distribute(cluster.url, { shards: SHARDS, report: () => undefined });
      return { seconds: (performance.now() - began) / 1_000, shards };
    },
    async [Symbol.asyncDispose]() {
      for (const pool of pools) await pool.end();
      for (const { drop } of both) await drop();
    },
  };
}

/** Tables before views: on the cluster the views show nothing. */
function poolOf(connectionString: string): pg.Pool {
  const options =
    "-c search_path=store,leadgate,public -c timezone=UTC -c jit=off -c client_min_messages=error";
  const pool = new pg.Pool({ connectionString, max: 2, options });
  pool.on("error", () => undefined);
  return pool;
}
