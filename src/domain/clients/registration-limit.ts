import { Refusal } from "../../core/refusal.ts";
import { inRanges, originOf } from "../operation/limits/origin-address.ts";
import type { Service } from "../operation/service/service.ts";

/**
 * Takes a turn for address $1 among $2 an hour, as the last members of a WITH: `taken` has a row when it did. The
 * row of the address holds the moments of its calls and lets one call in at a time; without a limit ($2 NULL) the
 * turn is always taken and nothing is kept. The clock runs on while a call waits, so `instant` is not the
 * transaction's own moment.
 */
export const HIT = `
  turn AS (
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
  taken AS (SELECT FROM turn WHERE taken UNION ALL SELECT WHERE $2::int IS NULL)`;

/** How the turn went, as columns of the statement that TURN is in. */
export const OUTCOME = `EXISTS (SELECT FROM taken) AS taken, (SELECT cardinality(at) FROM turn) AS calls,
    (SELECT ceil(extract(epoch FROM at[greatest(cardinality(at) - $2::int, 0) + 1] + interval '1 hour' - moment()))::int
      FROM turn) AS wait`;

export const TAKE = `WITH ${HIT} SELECT ${OUTCOME}`;

/** One call to count: the first two values of a statement with TURN. */
export type Hit = [address: string, most: number | null];

/** What a statement with TURN answers; the numbers only where there is a limit. */
export interface HitOutcome {
  taken: boolean;
  /** The counted calls of this hour, this one among them when it was. */
  calls: number | null;
  /** Seconds until one more turn is free than after this call; null where no call can ever be. */
  wait: number | null;
}

/** The turn that a call from this address has to take; `count` sets other kinds of calls apart from registrations. */
export function hitOf({ config }: Service, ip: string, count = ""): Hit {
  const { registrationsPerHour, registrationRanges } = config;
  return [count + originOf(ip), inRanges(ip, registrationRanges) ?? registrationsPerHour];
}

/** Tells of the limit; refuses with `too_many_requests` and the seconds to wait, unless the turn was taken. */
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
 * What `read` makes of a registration call. When it refuses, the call is counted all the same: in any 60 minutes
 * an address never gets more than its limit, good calls and bad ones together, and the limit is told first.
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
