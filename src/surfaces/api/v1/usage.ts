import { getUsage } from "../../../contract/usage.ts";
import { describeUsage } from "../../../domain/usage/describe-usage.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { queryOf } from "../shared/input.ts";

/** What a project stores, and its rate limits. */
export const usageRoutes: readonly Route[] = [
  operationRoute({
    endpoint: getUsage,
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, getUsage),
    operation: describeUsage,
    reply: ok,
  }),
];
