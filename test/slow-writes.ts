import { addTrigger } from "./citus/triggers.ts";
import type { World } from "./world.ts";

/**
 * Makes every statement that writes to a table of projects take longer, usually by a fifth of a second, so that a test comes in time
 * to stop what works through many of them. Returns a function that ends it.
 */
export async function slowWrites(the: World, table: string, seconds = 0.2): Promise<() => Promise<unknown>> {
  await addTrigger(
    the,
    "slow",
    `AFTER INSERT OR UPDATE ON store.${table} FOR EACH STATEMENT`,
    `PERFORM pg_sleep(${seconds}); RETURN NULL;`,
  );
  return () => the.sql(`DROP TRIGGER slow ON store.${table}`);
}
