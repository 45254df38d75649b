import type { World } from "./world.ts";

/** Returns how many connections to a world's database wait for a lock. */
export async function lockWaits(the: World): Promise<number> {
  const waiting = await the.sql(
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );
  return waiting.length;
}
