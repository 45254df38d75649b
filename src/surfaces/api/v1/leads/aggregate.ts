import { Type } from "typebox";
import { LeadAggregation } from "../../../../contract/nouns/aggregation.ts";
import { aggregateLeads } from "../../../../domain/leads/figures/aggregate-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { refusals } from "../../shared/described.ts";
import { bodyOf } from "../../shared/input.ts";

/** `POST /api/v1/leads/aggregate`: figures of leads by group. */
export const aggregateLeadsRoute = operationRoute({
  method: "POST",
  url: "/api/v1/leads/aggregate",
  describe: {
    summary: "Aggregate leads",
    description:
      "Metrics by group. A group is a stored value, an entry of a list such as tags, or a bucket of " +
      "dates by its first day in the time zone; leads without a value are the group null. A metric is named by its " +
      "op and field: count, sum_value, count_distinct_owner_id.",
    tags: ["leads"],
    bearer: true,
    body: LeadAggregation,
    answers: {
      200: Type.Object({
        groups: Type.Array(
          Type.Object({
            key: Type.Object({}, { additionalProperties: true }),
            metrics: Type.Object({}, { additionalProperties: true }),
          }),
        ),
        total_groups: Type.Integer({ description: "The total number of groups." }),
      }),
      ...refusals(413, 415),
    },
  },
  caller: apiKey,
  input: bodyOf,
  operation: aggregateLeads,
  reply: ({ json, totalGroups }) => ok(`{"groups":${json},"total_groups":${totalGroups}}`),
});
