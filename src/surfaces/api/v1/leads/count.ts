import * as endpoints from "../../../../contract/leads/leads.ts";
import { countLeads } from "../../../../domain/leads/read/count-leads.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { bodyOf } from "../../shared/input.ts";

/** `POST /api/v1/leads/count`: how many leads match. */
export const countLeadsRoute = operationRoute({
  endpoint: endpoints.countLeads,
  caller: apiKey,
  input: bodyOf,
  operation: countLeads,
});
