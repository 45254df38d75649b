import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "../../world.ts";

/** Decides when exports end. */
export interface HeldExports {
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
  await the.sql(`CREATE TABLE public.released (export text PRIMARY KEY);
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      WHILE NOT EXISTS (SELECT FROM public.released WHERE export IN ('all', NEW.job_id)) LOOP PERFORM pg_sleep(0.005); END LOOP;
      RETURN NEW;
    END $$;
    CREATE TRIGGER hold BEFORE INSERT ON store.job_piece FOR EACH ROW EXECUTE FUNCTION hold()`);
  const letEnd = (id: string) => the.sql("INSERT INTO public.released VALUES ($1)", [id]);
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
    releaseAll: async () => void (await letEnd("all")),
  };
}
