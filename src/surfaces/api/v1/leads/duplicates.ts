import { Type } from "typebox";
import { type Duplicate, findDuplicates } from "../../../../domain/leads/merge/find-duplicates.ts";
import {
  listDuplicateGroups,
  type ShownGroup,
} from "../../../../domain/leads/merge/list-duplicate-groups.ts";
import { type CursorList, nextCursorOf } from "../../../../domain/operation/page.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { Lead, refusals, stringOrNull } from "../../shared/described.ts";
import { pathOf, queryOf } from "../../shared/input.ts";

const Reason = Type.Object({
  code: Type.Enum(["external_id", "email", "phone", "name_and_company"]),
  value: Type.Union([Type.String({ description: "The value that they share." }), Type.Null()]),
});

/** `GET /api/v1/leads/{id}/duplicates`, and `GET /api/v1/leads/duplicates` for the entire project. */
export const duplicateRoutes: readonly Route[] = [
  operationRoute({
    method: "GET",
    url: "/api/v1/leads/duplicates",
    describe: {
      summary: "Find groups of duplicates",
      description:
        "Groups of leads with the same e-mail (ignoring case), the same phone, or the same name and company, the largest " +
        "first, each with its five oldest leads. Every page compares all leads.",
      tags: ["merges"],
      bearer: true,
      query: Type.Object({
        by: Type.Enum(["email", "phone", "name_and_company"]),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        cursor: Type.Optional(Type.String()),
      }),
      answers: {
        200: Type.Object({
          groups: Type.Array(
            Type.Object({
              count: Type.Integer({ description: "The number of leads in the group." }),
              leads: Type.Array(Lead, { description: "The five oldest." }),
            }),
          ),
          next_cursor: stringOrNull,
        }),
        ...refusals(),
      },
    },
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, { by: "text", limit: "integer", cursor: "text" }),
    operation: listDuplicateGroups,
    reply: (groups) => page("groups", groups, shownGroup),
  }),
  operationRoute({
    method: "GET",
    url: "/api/v1/leads/:id/duplicates",
    describe: {
      summary: "Find duplicates of a lead",
      description:
        "Leads that may be the same person, the most likely first, with reasons and a score from 0 to 1. At most 200 " +
        "leads are compared for each reason.",
      tags: ["merges"],
      bearer: true,
      params: Type.Object({ id: Type.String() }),
      query: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
        cursor: Type.Optional(Type.String()),
      }),
      answers: {
        200: Type.Object({
          duplicates: Type.Array(
            Type.Object({ lead: Lead, score: Type.Number(), reasons: Type.Array(Reason) }),
          ),
          next_cursor: stringOrNull,
        }),
        ...refusals(404),
      },
    },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, { limit: "integer", cursor: "text" }),
      id: pathOf(request, "id"),
    }),
    operation: findDuplicates,
    reply: (duplicates) => page("duplicates", duplicates, shown),
  }),
];

const page = <Item>(name: string, list: CursorList<Item>, show: (item: Item) => string): Reply =>
  ok(`{"${name}":[${list.items.map(show).join(",")}],"next_cursor":${JSON.stringify(nextCursorOf(list))}}`);

const shownGroup = ({ count, leads }: ShownGroup): string =>
  `{"count":${count},"leads":[${leads.join(",")}]}`;

const shown = ({ json, score, reasons }: Duplicate): string =>
  `{"lead":${json},"score":${score},"reasons":${JSON.stringify(reasons)}}`;
