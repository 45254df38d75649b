import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** How long a statement waits for a lock: what writers need queues behind it for as long. */
const LOCK_MS = 2_000;
/** How long to try again, with a growing pause in which the writers that waited get their turn. */
const RETRY_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 10_000;
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Applies one migration in a transaction and records its name. If a lock is not free within two seconds, everything is rolled
 * back and tried again for five minutes; `report` is told once.
 */
export async function apply(
  client: pg.Client,
  name: string,
  sql: string,
  report?: (message: string) => void,
): Promise<void> {
  const until = performance.now() + RETRY_MS;
  for (let pause = FIRST_PAUSE_MS, isFirst = true; ; pause = Math.min(2 * pause, LAST_PAUSE_MS)) {
    try {
      await client.query(
        `BEGIN; SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL search_path = leadgate, public; ${sql}`,
      );
      await client.query("INSERT INTO leadgate.migration (name) VALUES ($1)", [name]);
      await client.query("COMMIT");
      return;
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      const isLocked = error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isLocked) throw new Error(`migration ${name} failed and was rolled back`, { cause: error });
      if (performance.now() + pause > until)
        throw new Error(
          `migration ${name} got no lock within five minutes and was rolled back: another transaction holds it`,
          { cause: error },
        );
      if (isFirst) report?.(`migration ${name} waits for a lock that another transaction holds`);
      isFirst = false;
      await sleep(pause);
    }
  }
}
