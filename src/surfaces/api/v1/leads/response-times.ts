import * as endpoints from "../../../../contract/leads/aggregation.ts";
import { responseTimes } from "../../../../domain/leads/figures/response-times.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { bodyOf } from "../../shared/input.ts";

/** `POST /api/v1/leads/response-times`: how long leads waited for their first response, by group. */
export const responseTimesRoute = operationRoute({
  endpoint: endpoints.responseTimes,
  caller: apiKey,
  input: bodyOf,
  operation: responseTimes,
  reply: ({ json, totalGroups }) => ok(`{"groups":${json},"total_groups":${totalGroups}}`),
});
