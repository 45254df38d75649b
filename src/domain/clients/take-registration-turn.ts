import { Refusal } from "../../core/refusal.ts";
import type { Service } from "../service.ts";
import { inRanges, originOf } from "./origin-address.ts";

// The clock runs on while a call waits for its turn, so this is not the transaction's own moment.
const TAKE = `
  WITH clock AS (SELECT moment() + (clock_timestamp() - now()) AS instant),
  stale AS (
    DELETE FROM registration_turn USING clock WHERE address = $1 AND at <= instant - interval '1 hour'
  ),
  recent AS (
    SELECT at FROM registration_turn, clock WHERE address = $1 AND at > instant - interval '1 hour'
  ),
  taken AS (
    INSERT INTO registration_turn (address, at)
    SELECT $1, instant FROM clock WHERE (SELECT count(*) FROM recent) < $2::int
    RETURNING at
  )
  SELECT EXISTS (SELECT FROM taken) AS taken, (
    SELECT ceil(extract(epoch FROM at + interval '1 hour' - instant))::int
    FROM recent, clock ORDER BY at DESC OFFSET greatest($2::int - 1, 0) LIMIT 1
  ) AS wait`;

/**
 * Counts one registration call of an origin address: in any 60 minutes never more than its limit, however
 * calls race. Past it `too_many_requests`, with the seconds after which a call is let in again.
 */
export async function takeRegistrationTurn(service: Service, ip: string): Promise<void> {
  const { registrationsPerHour, registrationRanges } = service.config;
  const most = inRanges(ip, registrationRanges) ?? registrationsPerHour;
  if (most === null) return;
  const address = originOf(ip);
  const outcome = await service.db.transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('registration ' || $1, 0))", [address]);
    return (await tx.query<{ taken: boolean; wait: number | null }>(TAKE, [address, most]))[0];
  });
  if (outcome?.taken === true) return;
  throw new Refusal("too_many", "too_many_requests", `At most ${most} registrations per hour and address.`, {
    retryAfter: Math.max(1, outcome?.wait ?? 3_600),
  });
}
