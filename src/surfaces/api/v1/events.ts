import { Type } from "typebox";
import { addEvent, addEvents, type EventResult } from "../../../domain/timeline/add-events.ts";
import { BatchEventInput, EventInput } from "../../../domain/timeline/event-input.ts";
import { listEvents } from "../../../domain/timeline/list-events.ts";
import { readFeed } from "../../../domain/timeline/read-feed.ts";
import { EventOrigin, TimelineQuery } from "../../../domain/timeline/timeline-query.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../http/response/reply.ts";
import { statusOf } from "../../../http/response/status.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { refusals } from "../shared/described.ts";
import { Event } from "../shared/event-described.ts";
import { bodyOf, pathOf, queryOf } from "../shared/input.ts";

const orNull = Type.Union([Type.String(), Type.Null()]);

const EventBatchAnswer = Type.Object({
  created: Type.Integer(),
  unchanged: Type.Integer({ description: "Already recorded, by source and external_id." }),
  failed: Type.Integer(),
  results: Type.Array(
    Type.Object({
      index: Type.Integer(),
      status: Type.Integer({ description: "The error that the event would have returned on its own." }),
      id: orNull,
      lead_id: orNull,
      outcome: Type.Enum(["created", "unchanged", "failed"]),
      error: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
    }),
  ),
});

/** The results of a batch in the order of its events, and how many there are of each kind. */
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

const usual = { tags: ["timeline"], bearer: true as const };
const params = Type.Object({ id: Type.String() });
const Types = Type.Optional(Type.String({ description: "Separated by commas: email.opened,call.*" }));
const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  cursor: Type.Optional(Type.String()),
};

const list = operationRoute({
  method: "GET",
  url: "/api/v1/leads/:id/events",
  describe: {
    ...usual,
    summary: "List a lead's events",
    description:
      "Its timeline, newest first unless order is asc. from is inclusive, to is exclusive. A cursor is valid only for its " +
      "lead and parameters.",
    params,
    query: Type.Object({ ...Paging, ...TimelineQuery, types: Types, ...EventOrigin }),
    answers: {
      200: Type.Object({
        events: Type.Array(Event),
        next_cursor: Type.Union([Type.String(), Type.Null()]),
      }),
      ...refusals(404),
    },
  },
  caller: apiKey,
  input: (request, caller) => ({
    ...queryOf(request, caller, {
      limit: "integer",
      cursor: "text",
      types: "list",
      from: "moment",
      to: "moment",
      order: "text",
      source: "text",
      actor: "text",
      field: "text",
    }),
    id: pathOf(request, "id"),
  }),
  operation: listEvents,
  reply: ({ json, nextCursor }) => ok(`{"events":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
});

const add = operationRoute({
  method: "POST",
  url: "/api/v1/leads/:id/events",
  describe: {
    ...usual,
    summary: "Record an event",
    description:
      "Something that happened to a lead. With an external_id it is recorded once per lead and source, " +
      "however often it is sent: 200 with the event as first recorded. Moves last_activity_at forward, never back.",
    params,
    body: EventInput,
    answers: { 200: Event, 201: Event, ...refusals(404, 413, 415, 422) },
  },
  caller: apiKey,
  input: (request, caller) => ({ id: pathOf(request, "id"), event: bodyOf(request, caller) }),
  operation: addEvent,
  reply: ({ created, json }) => ({ status: created ? 201 : 200, body: json }),
});

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
      ...Paging,
      types: Types,
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

/** What happened to leads: a lead's timeline, events from outside, and the project's feed. */
export const eventRoutes: readonly Route[] = [list, add, addMany, feed];
