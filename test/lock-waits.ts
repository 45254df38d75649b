import type { World } from "./world.ts";

/** Returns how many connections to a world's database wait for a lock, on a cluster those of all nodes, with a query like this. */
export async function lockWaits(the: World, query = "%"): Promise<number> {
  const activity = the.service.db.isDistributed ? "citus_stat_activity" : "pg_stat_activity";
  const waiting = await the.sql(
    `SELECT FROM ${activity} WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE $1`,
    [query],
  );
  return waiting.length;
}
