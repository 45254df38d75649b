import * as endpoints from "../../../../contract/leads/aggregation.ts";
import { aggregateLeads } from "../../../../domain/leads/figures/aggregate-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { bodyOf } from "../../shared/input.ts";

/** `POST /api/v1/leads/aggregate`: figures of leads by group. */
export const aggregateLeadsRoute = operationRoute({
  endpoint: endpoints.aggregateLeads,
  caller: apiKey,
  input: bodyOf,
  operation: aggregateLeads,
  reply: ({ json, totalGroups }) => ok(`{"groups":${json},"total_groups":${totalGroups}}`),
});
