import pg from "pg";
import type { World } from "../world.ts";

/** A connection to each node of the cluster that holds a world's projects; without a cluster, one to its database. */
export interface EveryNode {
  /** Sends a statement to all of them, such as for an advisory lock, which each node has for itself. */
  query(text: string, values?: unknown[]): Promise<void>;
  end(): Promise<void>;
}

const NODES = "SELECT nodename AS host, nodeport AS port FROM pg_dist_node";

export async function everyNode(the: World): Promise<EveryNode> {
  const nodes = the.service.db.isDistributed
    ? await the.sql<{ host: string; port: number }>(NODES)
    : [{ host: "", port: 0 }];
  const clients = nodes.map(({ host, port }) => {
    const url = new URL(the.databaseUrl);
    if (port > 0) url.host = `${host}:${port}`;
    return new pg.Client({ connectionString: url.href });
  });
  await Promise.all(clients.map((client) => client.connect()));
  return {
    query: async (text, values = []) =>
      void (await Promise.all(clients.map((client) => client.query(text, values)))),
    end: async () => void (await Promise.all(clients.map((client) => client.end()))),
  };
}
