import { addLeadEvent, listLeadEvents } from "../../../../contract/timeline/events.ts";
import { addEvent } from "../../../../domain/timeline/add-events.ts";
import { listEvents } from "../../../../domain/timeline/list-events.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { bodyOf, pathOf, queryOf } from "../../shared/input.ts";

const list = operationRoute({
  endpoint: listLeadEvents,
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, listLeadEvents), id: pathOf(request, "id") }),
  operation: listEvents,
  reply: ({ json, nextCursor }) => ok(`{"events":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
});

const add = operationRoute({
  endpoint: addLeadEvent,
  caller: apiKey,
  input: (request, ...by) => ({ id: pathOf(request, "id"), event: bodyOf(request, ...by) }),
  operation: addEvent,
  reply: ({ created, json }) =>
    json === "" ? { status: 202, body: '{"accepted":true}' } : { status: created ? 201 : 200, body: json },
});

/** A lead's timeline, and events recorded on it. */
export const leadEventRoutes: readonly Route[] = [list, add];
