import { listUntrackedFields, replaceUntrackedFields } from "../../../contract/fields/quiet-fields.ts";
import { getUntrackedFields, setUntrackedFields } from "../../../domain/custom-fields/untracked-fields.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { bodyOf, queryOf } from "../shared/input.ts";

/** The untracked fields, whose changes are not recorded on timelines. */
export const quietFieldRoutes: readonly Route[] = [
  operationRoute({
    endpoint: listUntrackedFields,
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, listUntrackedFields),
    operation: getUntrackedFields,
    reply: (fields) => ok({ fields, next_cursor: null }),
  }),
  operationRoute({
    endpoint: replaceUntrackedFields,
    caller: apiKey,
    input: bodyOf,
    operation: setUntrackedFields,
    reply: (fields) => ok({ fields, next_cursor: null }),
  }),
];
