import * as endpoints from "../../../../contract/filters/filters.ts";
import { validateFilter } from "../../../../domain/filter/validate-filter.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok } from "../../../../http/response/reply.ts";
import { operationRoute } from "../../../../http/route/route.ts";
import { bodyOf } from "../../shared/input.ts";

/** `POST /api/v1/leads/filters/validate`: the meaning of a filter, or all of its errors. */
export const validateFilterRoute = operationRoute({
  endpoint: endpoints.validateFilter,
  caller: apiKey,
  input: bodyOf,
  operation: validateFilter,
  reply: ok,
});
