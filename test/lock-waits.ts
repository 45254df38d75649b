import type { World } from "./world.ts";

/** The view with the activity of a world's database, on a cluster of all its nodes. */
const activityOf = (the: World): string =>
  the.service.db.isDistributed ? "citus_stat_activity" : "pg_stat_activity";

/** Returns how many connections to a world's database wait for a lock, in a statement like this one. */
export async function lockWaits(the: World, like = "%"): Promise<number> {
  const waiting = await the.sql(
    `SELECT FROM ${activityOf(the)} WHERE wait_event_type = 'Lock' AND datname = current_database() AND query LIKE $1`,
    [like],
  );
  return waiting.length;
}
