import { setTimeout as sleep } from "node:timers/promises";
import { everyNode } from "../../citus/every-node.ts";
import { addTrigger } from "../../citus/triggers.ts";
import type { World } from "../../world.ts";

/** Decides when exports end. */
export interface HeldExports extends AsyncDisposable {
  /** Returns the exports that have begun and not ended. */
  begun(): Promise<string[]>;
  /** Lets an export end, and waits until it has. */
  release(id: string): Promise<void>;
  releaseAll(): Promise<void>;
}

/**
 * Holds every export just before it stores a part of its file, so that a test decides in which order they end, however slow
 * the machine is.
 */
export async function heldExports(the: World): Promise<HeldExports> {
  // A lock of this number says that an export may end; the lock 0 says that all may.
  await addTrigger(
    the,
    "hold",
    "BEFORE INSERT ON store.job_piece FOR EACH ROW",
    `WHILE NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = 7
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND objid::bigint IN (0, hashtext(NEW.job_id)::bigint & 4294967295)) LOOP
      PERFORM pg_sleep(0.005);
    END LOOP;
    RETURN NEW;`,
  );
  const nodes = await everyNode(the);
  const letEnd = (id: string) =>
    nodes.query("SELECT pg_advisory_lock(7, CASE WHEN $1 = 'all' THEN 0 ELSE hashtext($1) END)", [id]);
  return {
    async begun() {
      const rows = await the.sql<{ id: string }>("SELECT id FROM store.job WHERE state = 'running'");
      return rows.map(({ id }) => id);
    },
    async release(id) {
      await letEnd(id);
      while ((await the.sql("SELECT FROM store.job WHERE id = $1 AND state <> 'done'", [id])).length > 0)
        await sleep(10);
    },
    releaseAll: () => letEnd("all"),
    [Symbol.asyncDispose]: () => nodes.end(),
  };
}
