import * as endpoints from "../../../contract/fields/statuses.ts";
import { listStatuses } from "../../../domain/statuses/list-statuses.ts";
import { setStatuses } from "../../../domain/statuses/set-statuses.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { bodyOf, queryOf } from "../shared/input.ts";

/** The statuses of the project's leads. */
export const statusRoutes: readonly Route[] = [
  operationRoute({
    endpoint: endpoints.listStatuses,
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, endpoints.listStatuses),
    operation: listStatuses,
    reply: (list) => ok({ ...list, next_cursor: null }),
  }),
  operationRoute({
    endpoint: endpoints.replaceStatuses,
    caller: apiKey,
    input: bodyOf,
    operation: setStatuses,
    reply: (list) => ok({ ...list, next_cursor: null }),
  }),
];
