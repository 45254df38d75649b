import * as endpoints from "../../../contract/suppressions.ts";
import {
  addSuppressions,
  countSuppressions,
  removeSuppression,
} from "../../../domain/erasure/suppressions.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { bodyOf, queryOf } from "../shared/input.ts";

const count = operationRoute({
  endpoint: endpoints.countSuppressions,
  caller: apiKey,
  input: (request, caller) => queryOf(request, caller, endpoints.countSuppressions),
  operation: countSuppressions,
  reply: ok,
});

const add = operationRoute({
  endpoint: endpoints.addSuppressions,
  caller: apiKey,
  input: bodyOf,
  operation: addSuppressions,
  reply: ok,
});

const remove = operationRoute({
  endpoint: endpoints.removeSuppression,
  caller: apiKey,
  input: bodyOf,
  operation: removeSuppression,
  reply: ok,
});

/** Whom the project must not contact again. */
export const suppressionRoutes: readonly Route[] = [count, add, remove];
