import { Type } from "typebox";
import { addEvents, type EventResult } from "../../../domain/timeline/add-events.ts";
import { BatchEventInput } from "../../../domain/timeline/event-input.ts";
import { readFeed } from "../../../domain/timeline/read-feed.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../http/response/reply.ts";
import { statusOf } from "../../../http/response/status.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { refusals, stringOrNull } from "../shared/described.ts";
import { Event, EventPaging, EventTypes } from "../shared/event-described.ts";
import { bodyOf, queryOf } from "../shared/input.ts";

const usual = { tags: ["timeline"], bearer: true as const };

const EventBatchAnswer = Type.Object({
  created: Type.Integer(),
  unchanged: Type.Integer({ description: "Already recorded, by source and external_id." }),
  failed: Type.Integer(),
  results: Type.Array(
    Type.Object({
      index: Type.Integer(),
      status: Type.Integer({ description: "The error that the event would have returned on its own." }),
      id: stringOrNull,
      lead_id: stringOrNull,
      outcome: Type.Enum(["created", "unchanged", "failed"]),
      error: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
    }),
  ),
});

/** Responds with the results of a batch in the order of its events, and their number by outcome. */
function batchReply(results: readonly EventResult[]): Reply {
  const count = (wanted: EventResult["outcome"]) =>
    results.filter(({ outcome }) => outcome === wanted).length;
  return ok({
    created: count("created"),
    unchanged: count("unchanged"),
    failed: count("failed"),
    results: results.map(shown),
  });
}

function shown({ refusal, ...result }: EventResult): object {
  if (refusal === null) {
    return { ...result, status: result.outcome === "created" ? 201 : 200, error: null };
  }
  const { code, message, faults } = refusal;
  return { ...result, status: statusOf(refusal), error: { code, message, details: faults } };
}

const addMany = operationRoute({
  method: "POST",
  url: "/api/v1/events/batch",
  bodyLimit: 10 * 1_024 * 1_024,
  describe: {
    ...usual,
    summary: "Record many events",
    description:
      "Up to 500 events of any leads, each with its own result: one that fails does not affect the others.",
    body: Type.Object({ events: Type.Array(BatchEventInput, { minItems: 1, maxItems: 500 }) }),
    answers: { 200: EventBatchAnswer, ...refusals(413, 415) },
  },
  caller: apiKey,
  input: bodyOf,
  operation: addEvents,
  reply: batchReply,
});

const feed = operationRoute({
  method: "GET",
  url: "/api/v1/events",
  describe: {
    ...usual,
    summary: "Follow the project's events",
    description:
      "A change feed of all leads, in commit order: keep next_cursor, which is never null here, and continue " +
      "with it; has_more means that more is available now. No event is skipped or repeated. With types a page may be " +
      "empty although has_more is true. After a backup is restored, an old cursor is 400 cursor_of_former_epoch.",
    query: Type.Object({
      ...EventPaging,
      types: EventTypes,
      since: Type.Optional(Type.Union([Type.Literal("beginning"), Type.Literal("now")])),
    }),
    answers: {
      200: Type.Object({ events: Type.Array(Event), next_cursor: Type.String(), has_more: Type.Boolean() }),
      ...refusals(),
    },
  },
  caller: apiKey,
  input: (request, caller) =>
    queryOf(request, caller, { limit: "integer", cursor: "text", types: "list", since: "text" }),
  operation: readFeed,
  reply: ({ json, nextCursor, hasMore }) =>
    ok(`{"events":${json},"next_cursor":${JSON.stringify(nextCursor)},"has_more":${hasMore}}`),
});

/** Events of several leads: recording many at once, and the project's feed. */
export const eventRoutes: readonly Route[] = [addMany, feed];
