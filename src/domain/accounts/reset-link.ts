import { hashOf, randomSecret } from "../../core/secret.ts";
import type { Queryable } from "../../db/pool/database.ts";
import { anonymousOperation } from "../operation/callers.ts";
import type { Service } from "../operation/service/service.ts";
import type { Owner } from "./people/password-rule.ts";

const OFFER = `INSERT INTO reset_link (hash, person_id, expires_at) VALUES ($2, $1, moment() + interval '1 hour')
  ON CONFLICT (person_id) DO UPDATE SET hash = excluded.hash, created_at = moment(), expires_at = excluded.expires_at
    WHERE reset_link.created_at <= moment() - make_interval(secs => $3)
  RETURNING person_id`;

/**
 * Makes a link with which the person can set a new password, once, within an hour; the previous link ends.
 * Undefined if the previous link is younger than `pause` seconds.
 */
export async function offerReset(
  service: Service,
  db: Queryable,
  input: { personId: string; pause: number },
): Promise<string | undefined> {
  const token = randomSecret();
  const made = await db.query(OFFER, [input.personId, hashOf(token), input.pause]);
  return made.length === 0 ? undefined : `${service.config.authUrl}/reset/${token}`;
}

/** Whether a reset link may still be used. */
export const isResetOpen = anonymousOperation({
  name: "account.check_reset_link",
  async run({ db }, { link }: { link: string }): Promise<boolean> {
    const rows = await db.query("SELECT FROM reset_link WHERE hash = $1 AND expires_at > moment()", [
      hashOf(link),
    ]);
    return rows.length > 0;
  },
});

/** Whose password a reset link sets; undefined if it may not be used. */
export async function ownerOfReset(db: Queryable, link: string): Promise<Owner | undefined> {
  const rows = await db.query<Owner>(
    `SELECT p.email, p.name FROM reset_link l JOIN person p ON p.id = l.person_id
     WHERE l.hash = $1 AND l.expires_at > moment()`,
    [hashOf(link)],
  );
  return rows[0];
}
