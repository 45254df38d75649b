import { listMembers } from "../../../contract/members.ts";
import { nameMembers } from "../../../domain/projects/members/name-members.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { queryOf } from "../shared/input.ts";

/** The project's members, whom a lead's `owner_id` refers to. */
export const memberRoutes: readonly Route[] = [
  operationRoute({
    endpoint: listMembers,
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, listMembers),
    operation: nameMembers,
    reply: (members) => ok({ members, next_cursor: null }),
  }),
];
