import { refusalOf } from "../../../http/response/failure.ts";
import type { Asked } from "../protocol/exchange.ts";
import { nextStep } from "./failure-words.ts";
import { failed, inputFailure } from "./input-failure.ts";

/**
 * A failed call as a result the model can act on; internals go to the log. What concerns the token or the whole
 * service (401, 403, a database that is away) is thrown on: it is answered at the HTTP level.
 */
export function toolFailure(error: unknown, request: Asked): object {
  const refusal = refusalOf(error);
  const { kind, code } = refusal;
  if (kind === "unauthenticated" || kind === "forbidden" || code === "database_away") throw error;
  if (refusal.cause !== undefined) request.log.error({ err: refusal.cause }, "tool failed");
  const badInput = kind === "malformed" || kind === "unprocessable";
  if (badInput && refusal.faults.length > 0) return inputFailure(refusal.faults, request.id);
  return failed({
    what: "The call could not be carried out.",
    why: refusal.message,
    next_step: nextStep(refusal),
    request_id: request.id,
    ...(refusal.faults.length > 0 ? { details: refusal.faults } : {}),
  });
}
