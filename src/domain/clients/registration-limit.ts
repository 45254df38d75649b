import { Refusal } from "../../core/refusal.ts";
import { inRanges, originOf } from "../operation/limits/origin-address.ts";
import type { Service } from "../operation/service/service.ts";

/**
 * The last members of a WITH that count a call of address $1 against $2 an hour; `taken` has a row if it was
 * allowed. Without a limit ($2 NULL) every call is allowed and nothing is stored. Calls of one address wait for
 * each other, so `instant` is the current time and not the transaction's.
 */
export const HIT = `
  hit AS (
    INSERT INTO registration_calls AS calls (address, at, taken)
    SELECT $1, CASE WHEN $2::int > 0 THEN ARRAY[moment()] ELSE '{}' END, $2::int > 0 WHERE $2::int IS NOT NULL
    ON CONFLICT (address) DO UPDATE SET (at, taken) = (
      SELECT CASE WHEN cardinality(kept) < $2::int THEN kept || instant ELSE kept END, cardinality(kept) < $2::int
      FROM (SELECT moment() + (clock_timestamp() - now()) AS instant) AS clock,
        LATERAL (SELECT ARRAY(
          SELECT past FROM unnest(calls.at) AS past WHERE past > instant - interval '1 hour' ORDER BY past
        ) AS kept) AS hour)
    RETURNING at, taken
  ),
  taken AS (SELECT true AS allowed FROM hit WHERE taken UNION ALL SELECT true WHERE $2::int IS NULL)`;

/** The result of HIT, as columns of the statement that contains it. */
export const OUTCOME = `EXISTS (SELECT FROM taken) AS taken, (SELECT cardinality(at) FROM hit) AS calls,
    (SELECT ceil(extract(epoch FROM at[greatest(cardinality(at) - $2::int, 0) + 1] + interval '1 hour' - moment()))::int
      FROM hit) AS wait`;

export const TAKE = `WITH ${HIT} SELECT ${OUTCOME}`;

/** One call to count: the first two values of a statement with HIT. */
export type Hit = [address: string, most: number | null];

/** The result of a statement with HIT; the numbers are null without a limit. */
export interface HitOutcome {
  taken: boolean;
  /** The calls that count this hour, including this one if it was allowed. */
  calls: number | null;
  /** Seconds until one more call is allowed; null if none ever is. */
  wait: number | null;
}

/** The hit of a call from this address; `count` separates other kinds of calls from registrations. */
export function hitOf({ config }: Service, ip: string, count = ""): Hit {
  const { registrationsPerHour, registrationRanges } = config;
  const ofRange = inRanges(ip, registrationRanges);
  return [count + originOf(ip), ofRange === undefined ? registrationsPerHour : ofRange];
}

/**
 * Reports the state of the limit; refuses with `too_many_requests` and the seconds to wait if the call was not
 * allowed.
 */
export function checkHit(service: Service, [, most]: Hit, outcome: HitOutcome | undefined): void {
  const next = Math.max(1, outcome?.wait ?? 3_600);
  if (most !== null && outcome !== undefined) {
    const remaining = Math.max(0, most - (outcome.calls ?? 0));
    service.origin?.hits?.set("registration", { quota: most, window: 3_600, remaining, next });
  }
  if (outcome?.taken === true) return;
  throw new Refusal(
    "too_many",
    "too_many_requests",
    `At most ${most} registrations per hour and IP address.`,
    {
      retryAfter: next,
    },
  );
}

/**
 * Returns what `read` makes of a registration call, or counts the call if `read` refuses it: good and bad calls
 * share one hourly limit per address, and exceeding it is reported first.
 */
export async function orCounted<T>(service: Service, ip: string, read: () => T): Promise<T> {
  try {
    return read();
  } catch (fault) {
    const hit = hitOf(service, ip);
    checkHit(service, hit, (await service.db.together<HitOutcome>([{ text: TAKE, values: hit }]))[0]);
    throw fault;
  }
}
