import { Type } from "typebox";
import { addEvent } from "../../../../domain/timeline/add-events.ts";
import { EventInput } from "../../../../domain/timeline/event-input.ts";
import { listEvents } from "../../../../domain/timeline/list-events.ts";
import { EventOrigin, TimelineQuery } from "../../../../domain/timeline/timeline-query.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { IdInPath, refusals, stringOrNull } from "../../shared/described.ts";
import { Event, EventPaging, EventTypes } from "../../shared/event-described.ts";
import { bodyOf, pathOf, queryOf } from "../../shared/input.ts";

const usual = { tags: ["timeline"], bearer: true as const };

const list = operationRoute({
  method: "GET",
  url: "/api/v1/leads/:id/events",
  describe: {
    ...usual,
    summary: "List a lead's events",
    description:
      "Its timeline, newest first unless order is asc. from is inclusive, to is exclusive. A cursor is valid only for its " +
      "lead and parameters.",
    params: IdInPath,
    query: Type.Object({ ...EventPaging, ...TimelineQuery, types: EventTypes, ...EventOrigin }),
    answers: {
      200: Type.Object({
        events: Type.Array(Event),
        next_cursor: stringOrNull,
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
    params: IdInPath,
    body: EventInput,
    answers: { 200: Event, 201: Event, ...refusals(404, 413, 415, 422) },
  },
  caller: apiKey,
  input: (request, caller) => ({ id: pathOf(request, "id"), event: bodyOf(request, caller) }),
  operation: addEvent,
  reply: ({ created, json }) => ({ status: created ? 201 : 200, body: json }),
});

/** A lead's timeline, and events recorded on it. */
export const leadEventRoutes: readonly Route[] = [list, add];
