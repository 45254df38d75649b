import { Type } from "typebox";
import { ROLES } from "../../../core/permission.ts";
import { nameMembers } from "../../../domain/projects/members/name-members.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { refusals } from "../shared/described.ts";
import { queryOf } from "../shared/input.ts";

const Member = Type.Object({ id: Type.String(), name: Type.String(), role: Type.Enum([...ROLES]) });

/** The project's members, whom a lead's `owner_id` refers to. */
export const memberRoutes: readonly Route[] = [
  operationRoute({
    method: "GET",
    url: "/api/v1/members",
    describe: {
      summary: "List members",
      description: "The project's members by name, all on one page. Members can own leads.",
      tags: ["members"],
      bearer: true,
      answers: { 200: Type.Object({ members: Type.Array(Member), next_cursor: Type.Null() }), ...refusals() },
    },
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, {}),
    operation: nameMembers,
    reply: (members) => ok({ members, next_cursor: null }),
  }),
];
