import type { FastifyRequest } from "fastify";
import { refusalOf } from "../../http/failure.ts";
import { failed, inputFailure } from "./input-failure.ts";

const NEXT: Record<string, string> = {
  not_found: "Find the lead with query_leads and use the id it answers.",
  too_slow: "Narrow the filter, for example by created_at or status, and call again.",
  internal: "Try once more; if it fails again, give the person the request_id for support.",
};

/**
 * A failed call as a result the model can act on; internals go to the log. What concerns the token or the whole
 * service (401, 403, a database that is away) is thrown on: it is answered at the HTTP level.
 */
export function toolFailure(error: unknown, request: FastifyRequest): object {
  const refusal = refusalOf(error);
  const { kind, code } = refusal;
  if (kind === "unauthenticated" || kind === "forbidden" || code === "database_away") throw error;
  if (refusal.cause !== undefined) request.log.error({ err: refusal.cause }, "tool failed");
  if (refusal.faults.length > 0) return inputFailure(refusal.faults, request.id);
  const wait = refusal.retryAfter === undefined ? undefined : `Wait ${refusal.retryAfter} s and call again.`;
  return failed({
    what: "The call could not be carried out.",
    why: refusal.message,
    next_step: NEXT[code] ?? wait ?? "Correct the arguments and call again.",
    request_id: request.id,
  });
}
