import { Refusal } from "../../core/refusal.ts";

const WAITS = [1, 2, 3] as const;

/** The refusals, made once: an error's stack would cost more than the rest of a refusal. */
const overloaded = WAITS.map(
  (retryAfter) =>
    new Refusal(
      "unavailable",
      "overloaded",
      `The service has too much to do. Nothing was done: wait ${retryAfter} s, then repeat the call.`,
      { retryAfter },
    ),
);
const tooManyAtOnce = WAITS.map(
  (retryAfter) =>
    new Refusal(
      "too_many",
      "too_many_at_once",
      `Too many of your calls are being handled at once. Nothing was done: wait ${retryAfter} s, then repeat the call.`,
      { retryAfter },
    ),
);

/**
 * Returns the refusal of a request that was not admitted: 429 if the caller's own requests are in the way, else 503.
 * Its Retry-After of 1 to 3 s is random, so that callers do not all come back at once.
 */
export function notAdmitted(own: boolean): Refusal {
  const refusals = own ? tooManyAtOnce : overloaded;
  const refusal = refusals[Math.floor(Math.random() * WAITS.length)];
  if (refusal === undefined) throw new Error("there is no such refusal");
  return refusal;
}
