import type { Locale } from "../../core/locale.ts";
import { Refusal } from "../../core/refusal.ts";
import { hashOf, randomSecret } from "../../core/secret.ts";
import type { Queryable } from "../../db/pool/database.ts";
import { anonymousOperation } from "../operation/callers.ts";
import type { Service } from "../operation/service/service.ts";
import { type OpenSession, sessionsOf } from "./sessions/list-sessions.ts";
import { type Passkey, passkeysOf } from "./sign-in/passkey.ts";

const OFFER = `INSERT INTO reset_link (hash, person_id, expires_at) VALUES ($2, $1, moment() + interval '1 hour')
  ON CONFLICT (person_id) DO UPDATE SET hash = excluded.hash, created_at = excluded.created_at, expires_at = excluded.expires_at
    WHERE excluded.created_at - reset_link.created_at >= make_interval(secs => $3)
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

/** What the holder of a reset link sees of the account, to know who can still sign in. */
export interface OpenReset {
  personId: string;
  email: string;
  name: string;
  locale: Locale | null;
  /** On an unverified account, the link ends everything that is listed here. */
  verified: boolean;
  /** Since when an authenticator app is set up; null without one. */
  totpSince: Date | null;
  passkeys: Passkey[];
  sessions: Array<Omit<OpenSession, "current">>;
}

const OPEN = `SELECT p.id AS "personId", p.email, p.name, p.locale, p.verified_at IS NOT NULL AS verified, p.totp_since AS "totpSince"
  FROM reset_link r JOIN person p ON p.id = r.person_id WHERE r.hash = $1 AND r.expires_at > moment()`;

/** The account that a reset link is for, with its ways to sign in. `reset_over` for any other text. */
export const openReset = anonymousOperation({
  name: "account.open_reset_link",
  async run({ db }, { link }: { link: string }): Promise<OpenReset> {
    const [open] = await db.query<Omit<OpenReset, "passkeys" | "sessions">>(OPEN, [hashOf(link)]);
    if (open === undefined) throw resetOver();
    const { personId } = open;
    return { ...open, passkeys: await passkeysOf(db, personId), sessions: await sessionsOf(db, personId) };
  },
});

/** The refusal for a link that was used or replaced or has expired. */
export const resetOver = (): Refusal =>
  new Refusal(
    "not_found",
    "reset_over",
    "This link has been used, replaced by a newer one, or is older than an hour.",
  );
