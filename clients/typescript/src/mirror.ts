import { isOver } from "./error.ts";
import type { Events, Leads } from "./generated/methods.ts";
import type { Lead } from "./generated/schema.ts";
import type { CallOptions } from "./transport.ts";
import { wait } from "./wait.ts";

export interface MirrorOptions extends CallOptions {
  /** Where an earlier run stopped, as `save` received it. Without one, all leads are read first. */
  cursor?: string | undefined;
  /** Stores the cursor, after all steps before it were handled. */
  save(cursor: string): void | Promise<void>;
  /** Leads or events per call, 500 by default. */
  limit?: number;
  /** Milliseconds to wait at the end of the feed, 5,000 by default. With `false`, the loop ends there. */
  wait?: number | false;
  /** Called before all leads are read again, because the cursor is too old or the service was restored from a backup. */
  restarted?(): void | Promise<void>;
}

/** What a mirror does next: store `leads` over its copies, and remove its copies of `gone`. */
export interface MirrorStep {
  leads: Lead[];
  /** Ids of leads that are deleted, merged or erased. */
  gone: string[];
  /** `sync` while all leads are read, `synced` for the last of them: copies that no step had since the first are gone. */
  phase: "sync" | "synced" | "follow";
}

/**
 * Yields the steps that keep a complete copy of the leads: all leads first, then what changed. Saves the cursor once
 * your loop asks for more, but not before all leads were read: a program that stops until then starts again.
 */
export async function* mirror(
  api: { leads: Pick<Leads, "sync">; events: Pick<Events, "feed"> },
  options: MirrorOptions,
): AsyncGenerator<MirrorStep, void> {
  const { save, limit = 500, wait: pause = 5_000, signal, timeout } = options;
  const call = { ...(signal && { signal }), ...(timeout && { timeout }) };
  let { cursor } = options;
  for (;;) {
    try {
      for (let at: string | null = null; cursor === undefined; ) {
        const { data } = await api.leads.sync({ limit, ...(at !== null && { cursor: at }) }, call);
        at = data.next_cursor;
        yield { leads: data.leads, gone: [], phase: at === null ? "synced" : "sync" };
        if (data.feed_cursor === null) continue;
        cursor = data.feed_cursor;
        await save(cursor);
      }
      const { data } = await api.events.feed({ snapshot: true, limit, cursor }, call);
      const leads = data.leads ?? [];
      const kept = new Set(leads.map(({ id }) => id));
      const gone = [...new Set(data.events.map((event) => event.lead_id))].filter((id) => !kept.has(id));
      if (data.events.length > 0) yield { leads, gone, phase: "follow" };
      if (data.next_cursor !== cursor) await save(data.next_cursor);
      cursor = data.next_cursor;
      if (data.has_more) continue;
    } catch (error) {
      if (!isOver(error)) throw error;
      await options.restarted?.();
      cursor = undefined;
      continue;
    }
    if (pause === false) return;
    await wait(pause, signal);
  }
}
