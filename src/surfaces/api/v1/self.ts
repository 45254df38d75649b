import { getSelf } from "../../../contract/self.ts";
import { describeSelf } from "../../../domain/usage/describe-self.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute } from "../../../http/route/route.ts";
import { queryOf } from "../shared/input.ts";

/** The credential that calls. */
export const selfRoute = operationRoute({
  endpoint: getSelf,
  caller: apiKey,
  input: (request, caller) => queryOf(request, caller, getSelf),
  operation: describeSelf,
  reply: ok,
});
