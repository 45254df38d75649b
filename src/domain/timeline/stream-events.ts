import type { Readable } from "node:stream";
import { Type } from "typebox";
import { types } from "../../contract/timeline/timeline-query.ts";
import { Refusal } from "../../core/refusal.ts";
import { nameOf } from "../live/live-hub.ts";
import { Cursor } from "../operation/cursor.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { EventStream } from "./event-stream.ts";
import { readFeedCursor } from "./feed-cursor.ts";
import { readFeedPage } from "./read-feed.ts";

const FIRST_PAGE = 100;

const FULL = {
  own: "As many streams are open with this credential as it may have. Close one, then try again.",
  all: "This process serves as many streams as it can. Try again shortly.",
};

/**
 * Streams the feed as server-sent events: what came after the cursor, or from now on, and then what is committed, until
 * the connection closes or the credential ends.
 */
export const streamEvents = memberOperation({
  name: "timeline.stream",
  needs: "leads:read",
  input: Type.Object({ cursor: Cursor, types }, { additionalProperties: false }),
  async run(context, { cursor, types }): Promise<Readable> {
    const { service, db, caller } = context;
    const { streams } = service.live;
    const name = nameOf(caller);
    const full = streams.fullFor(name);
    if (full !== undefined)
      return await refuse(db, new Refusal("too_many", "too_many_streams", FULL[full], { retryAfter: 5 }));
    const leave = streams.take(name);
    try {
      const first = await readFeedPage(context, () => {
        const mark =
          cursor === undefined ? undefined : readFeedCursor(service, caller.projectId, types, cursor);
        const since = cursor === undefined ? ("now" as const) : undefined;
        return { types, since, limit: FIRST_PAGE, mark, lines: true };
      });
      return new EventStream(context, types, first, leave).body;
    } catch (error) {
      leave();
      throw error;
    }
  },
});
