import { hashOf, randomSecret } from "../../../core/secret.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import type { Service } from "../../operation/service/service.ts";

const LIFE = "5 minutes";

/**
 * Makes a challenge for one response from this browser. It is stored as a hash with `place` (the visit or session)
 * for five minutes. `personId` is the owner of a new passkey; null at sign-in.
 */
export async function newChallenge(
  service: Service,
  place: string,
  personId: string | null,
): Promise<Uint8Array> {
  const challenge = randomSecret();
  await service.db.query(
    "INSERT INTO passkey_challenge (hash, person_id, expires_at) VALUES ($1, $2, moment() + $3::interval)",
    [hashFor(place, Buffer.from(challenge).toString("base64url")), personId, LIFE],
  );
  return new TextEncoder().encode(challenge);
}

/**
 * Uses up a challenge (base64url, as the browser signed it). True once, and only for its place and person, before
 * it expires.
 */
export async function takeChallenge(
  db: Queryable,
  place: string,
  challenge: string,
  personId: string | null,
): Promise<boolean> {
  const taken = await db.query<{ valid: boolean }>(
    `DELETE FROM passkey_challenge WHERE hash = $1 AND person_id IS NOT DISTINCT FROM $2
     RETURNING expires_at > moment() AS valid`,
    [hashFor(place, challenge), personId],
  );
  return taken[0]?.valid === true;
}

/** Deletes challenges that were never answered, some thousands at a time. */
export async function sweepChallenges(service: Service): Promise<void> {
  await service.db.query(
    `DELETE FROM passkey_challenge WHERE hash IN
       (SELECT hash FROM passkey_challenge WHERE expires_at < moment() LIMIT 5000)`,
  );
}

const hashFor = (place: string, challenge: string): Buffer => hashOf(`${place}\0${challenge}`);
