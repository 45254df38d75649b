import { Type } from "typebox";
import { LeadCount } from "../../../../contract/nouns/query.ts";
import { countLeads } from "../../../../domain/leads/read/count-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { Relation, refusals } from "../../shared/described.ts";
import { bodyOf } from "../../shared/input.ts";

/** `POST /api/v1/leads/count`: how many leads match. */
export const countLeadsRoute = operationRoute({
  method: "POST",
  url: "/api/v1/leads/count",
  describe: {
    summary: "Count leads",
    description: "How many leads match: exact up to 10,000, beyond that a lower bound unless exact is true.",
    tags: ["leads"],
    bearer: true,
    body: LeadCount,
    answers: { 200: Type.Object({ count: Type.Integer(), relation: Relation }), ...refusals(413, 415) },
  },
  caller: apiKey,
  input: bodyOf,
  operation: countLeads,
});
