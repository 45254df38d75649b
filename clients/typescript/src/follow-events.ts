import { isOver } from "./error.ts";
import type { Events } from "./generated/methods.ts";
import type { FeedEvent } from "./generated/schema.ts";
import type { CallOptions } from "./transport.ts";
import { wait } from "./wait.ts";

export interface FollowOptions extends CallOptions {
  /** Where an earlier run stopped, as `save` received it. Without one: from the first event, or from `since`. */
  cursor?: string | undefined;
  /** `now` starts at the end instead of at the first event, if there is no cursor. */
  since?: "now";
  /** Stores the cursor, after all events before it were handled. */
  save(cursor: string): void | Promise<void>;
  /**
   * Only events of these types; `email.*` stands for all that start with `email.`. If you keep copies of leads, name
   * `lead.erased` (or `lead.*`), too: it tells that a lead was erased and its copy must go.
   */
  types?: string[];
  /** Leaves out events of this actor: with the id of your key, your own changes, and leads that it erased. */
  ignore?: string;
  /** Events per call, 500 by default. */
  limit?: number;
  /** Milliseconds to wait at the end of the feed, 5,000 by default. With `false`, the loop ends there. */
  wait?: number | false;
  /** Called before the feed is read from its start, because the service was restored from a backup. */
  restarted?(): void | Promise<void>;
}

/**
 * Yields the events of the project in the order of commits, and saves the cursor after each page: once your loop asks
 * for more, what it received counts as handled. If your program stops before, it receives that page again.
 */
export async function* followEvents(events: Events, options: FollowOptions): AsyncGenerator<FeedEvent, void> {
  const { save, ignore, since, types, limit = 500, wait: pause = 5_000, signal } = options;
  let { cursor } = options;
  for (;;) {
    const from = cursor === undefined ? (since === undefined ? {} : { since }) : { cursor };
    const page = await read(events, { ...from, limit, ...(types === undefined ? {} : { types }) }, options);
    if (page === undefined) {
      await options.restarted?.();
      cursor = undefined;
      continue;
    }
    for (const event of page.events) if (ignore === undefined || event.actor?.id !== ignore) yield event;
    if (page.next_cursor !== cursor) await save(page.next_cursor);
    cursor = page.next_cursor;
    if (page.has_more) continue;
    if (pause === false) return;
    await wait(pause, signal);
  }
}

type Query = NonNullable<Parameters<Events["feed"]>[0]>;

/** Returns a page of the feed, or undefined if its cursor is from before a backup was restored, or too old. */
async function read(events: Events, query: Query, { signal, timeout }: CallOptions) {
  const options = { ...(signal && { signal }), ...(timeout && { timeout }) };
  try {
    return (await events.feed(query, options)).data;
  } catch (error) {
    if (isOver(error) && query.cursor !== undefined) return undefined;
    throw error;
  }
}
