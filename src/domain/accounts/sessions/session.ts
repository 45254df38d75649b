import { newId } from "../../../core/id.ts";
import { hashOf, randomSecret } from "../../../core/secret.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import { forgetAccepted, noteAcceptedSession } from "../../operation/accepted.ts";
import { record } from "../../operation/audit/record.ts";
import { anonymousOperation } from "../../operation/callers.ts";
import type { Service } from "../../operation/service/service.ts";
import { batchOf, inBatches } from "../../sql/in-batches.ts";
import { SESSION_IDLE } from "../../tenancy/person-door.ts";
import type { Person } from "../people/account.ts";

/** Starts a session for the browser in `service.origin` and returns its token, of which only the hash is stored. */
export async function startSession(service: Service, db: Queryable, personId: string): Promise<string> {
  const token = randomSecret();
  const { origin, config } = service;
  await db.query(
    `INSERT INTO session (hash, id, person_id, address, agent, expires_at)
     VALUES ($1, $2, $3, $4, $5, moment() + make_interval(secs => $6))`,
    [
      hashOf(token),
      newId("ses"),
      personId,
      origin?.address ?? null,
      origin?.agent ?? null,
      config.lifetimes.session,
    ],
  );
  return token;
}

/** The person of a valid session; records its use at most once a minute. */
export async function personOfSession(service: Service, token: string): Promise<Person | undefined> {
  const hash = hashOf(token);
  const [found] = await service.db.query<Person & { session: string }>(
    `WITH live AS (
       SELECT s.hash, s.id AS session, s.used_at, p.id, p.email, p.name, p.locale, p.verified_at IS NOT NULL AS verified,
         p.single_keys, p.owns_instance FROM session s JOIN person p ON p.id = s.person_id
       WHERE s.hash = $1 AND s.expires_at > moment() AND s.used_at > moment() - $2::interval
     ), used AS (
       UPDATE session SET used_at = moment() FROM live
       WHERE session.hash = live.hash AND live.used_at < moment() - interval '1 minute'
     ) SELECT id, email, name, locale, verified, single_keys AS "singleKeys",
       owns_instance AS "ownsInstance", session FROM live`,
    [hash, SESSION_IDLE],
  );
  if (found === undefined) {
    forgetAccepted(hash);
    return undefined;
  }
  const { session, ...person } = found;
  noteAcceptedSession(hash, person.id);
  service.account?.admitted({ credential: "session", id: session });
  return person;
}

/** Ends the browser's session. One that has already ended is not an error and is not audited. */
export const endSession = anonymousOperation({
  name: "sessions.sign_out",
  async run({ service, db, caller }) {
    await db.transaction(async (tx) => {
      const [ended] = await tx.query<{ id: string; personId: string }>(
        'DELETE FROM session WHERE hash = $1 RETURNING id, person_id AS "personId"',
        [hashOf(caller.former ?? "")],
      );
      if (ended === undefined) return;
      const { id, personId } = ended;
      const data = { session_id: id };
      await record(service, tx, { action: "person.signed_out", personId, actor: personId, data });
    });
  },
});

const OVER = batchOf("session", "hash", "(expires_at < moment() OR used_at < moment() - $1::interval)");

/** Deletes ended sessions in batches. */
export async function sweepSessions({ db }: Service): Promise<void> {
  await inBatches(() => db.query(OVER, [SESSION_IDLE]));
}
