import type pg from "pg";
import { refuseWorker } from "../check-addresses.ts";

/** A Citus cluster with a coordinator and workers. */
interface Cluster {
  /** The workers. */
  nodes: number;
  /** Over how many shards Citus distributes a table by default. */
  shards: number;
}

const CITUS = "SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'";
const OLDEST = 12;
const NODES = `SELECT count(*) FILTER (WHERE groupid <> 0 AND isactive AND shouldhaveshards)::integer AS workers,
    coalesce(bool_or(groupid = 0), false) AS knows_itself, current_setting('citus.shard_count')::integer AS shards
  FROM pg_dist_node WHERE noderole = 'primary'`;

/** Throws an error that says what is missing, unless this is the coordinator of a cluster that projects can be distributed over. */
export async function checkCluster(client: pg.Client): Promise<Cluster> {
  const [citus] = (await client.query<{ version: string }>(CITUS)).rows;
  if (citus === undefined)
    throw new Error(
      "This database has no Citus. Install it on all nodes, add citus to shared_preload_libraries, and run CREATE EXTENSION citus in this database on each of them (docs/operate/scale.md).",
    );
  if (Number.parseInt(citus.version, 10) < OLDEST)
    throw new Error(`Leadgate needs Citus ${OLDEST} or newer; this database has ${citus.version}.`);
  await refuseWorker(client);
  const [found] = (await client.query<{ workers: number; knows_itself: boolean; shards: number }>(NODES))
    .rows;
  if (found?.knows_itself !== true)
    throw new Error(
      "The coordinator does not know its own address. Run SELECT citus_set_coordinator_host('its-name', 5432) on it.",
    );
  if (found.workers === 0)
    throw new Error(
      "The cluster has no workers. Run SELECT citus_add_node('its-name', 5432) on the coordinator for each of them.",
    );
  return { nodes: found.workers, shards: found.shards };
}
