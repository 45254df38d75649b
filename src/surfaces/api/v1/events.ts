import type { EventBatchResult, EventResult } from "../../../contract/timeline/event.ts";
import * as events from "../../../contract/timeline/events.ts";
import { type AddedEvent, addEvents } from "../../../domain/timeline/add-events.ts";
import { readFeed } from "../../../domain/timeline/read-feed.ts";
import { streamEvents } from "../../../domain/timeline/stream-events.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../http/response/reply.ts";
import { statusOf } from "../../../http/response/status.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { bodyOf, queryOf } from "../shared/input.ts";

/** Responds with the results of a batch in the order of its events, and their number by outcome; a caller that may only create leads gets none. */
function batchReply(results: readonly AddedEvent[]): Reply {
  if (results.length === 0) return { status: 202, body: '{"accepted":true}' };
  const count = (wanted: AddedEvent["outcome"]) => results.filter(({ outcome }) => outcome === wanted).length;
  return ok({
    created: count("created"),
    unchanged: count("unchanged"),
    failed: count("failed"),
    results: results.map(shown),
  } satisfies EventBatchResult);
}

function shown({ refusal, ...result }: AddedEvent): EventResult {
  if (refusal === null) {
    return { ...result, status: result.outcome === "created" ? 201 : 200, error: null };
  }
  const { code, message, faults } = refusal;
  return { ...result, status: statusOf(refusal), error: { code, message, details: faults } };
}

const addMany = operationRoute({
  endpoint: events.addEvents,
  bodyLimit: 10 * 1_024 * 1_024,
  caller: apiKey,
  input: bodyOf,
  operation: addEvents,
  reply: batchReply,
});

const feed = operationRoute({
  endpoint: events.readFeed,
  caller: apiKey,
  input: (request, caller) => queryOf(request, caller, events.readFeed),
  operation: readFeed,
  reply: ({ json, leads, nextCursor, hasMore }) => {
    const snapshot = leads === undefined ? "" : `,"leads":${leads}`;
    return ok(
      `{"events":${json},"next_cursor":${JSON.stringify(nextCursor)},"has_more":${hasMore}${snapshot}}`,
    );
  },
});

const stream = operationRoute({
  endpoint: events.streamEvents,
  caller: apiKey,
  input: (request, caller) => {
    const { "last-event-id": last } = request.headers;
    const query = queryOf(request, caller, events.streamEvents);
    return typeof last === "string" && last !== "" ? { ...query, cursor: last } : query;
  },
  operation: streamEvents,
  reply: (body) => ({ status: 200, type: "text/event-stream", body, headers: STREAM_HEADERS }),
});

/** No proxy may keep, change or collect what it passes. */
const STREAM_HEADERS = { "Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no" };

/** Events of several leads: recording many at once, the project's feed, and its stream. */
export const eventRoutes: readonly Route[] = [addMany, feed, stream];
