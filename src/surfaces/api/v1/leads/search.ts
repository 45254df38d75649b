import { Type } from "typebox";
import { LeadSearch } from "../../../../contract/nouns/query.ts";
import { searchLeads } from "../../../../domain/leads/read/search-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { Lead, Relation, refusals, stringOrNull } from "../../shared/described.ts";
import { bodyOf } from "../../shared/input.ts";
import { cursorPageJson } from "../../shared/page-json.ts";

/** `POST /api/v1/leads/search`: one page of leads by cursor. */
export const searchLeadsRoute = operationRoute({
  method: "POST",
  url: "/api/v1/leads/search",
  describe: {
    summary: "Search leads",
    description:
      "One page of the project's leads, newest first unless sort is given. Repeat the call with next_cursor " +
      "until it is null; a cursor is valid only for its filter, search, sort and timezone. Relative dates " +
      "are relative to the time of the first page.",
    tags: ["leads"],
    bearer: true,
    body: LeadSearch,
    answers: {
      200: Type.Object({
        leads: Type.Array(Lead),
        next_cursor: stringOrNull,
        total: Type.Optional(Type.Integer()),
        total_relation: Type.Optional(Relation),
      }),
      ...refusals(413, 415),
    },
  },
  caller: apiKey,
  input: bodyOf,
  operation: searchLeads,
  reply: (page) => ok(cursorPageJson("leads", page)),
});
