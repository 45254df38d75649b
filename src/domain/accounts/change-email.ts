import type { Locale } from "../../core/locale.ts";
import { Refusal } from "../../core/refusal.ts";
import { hashOf, randomSecret } from "../../core/secret.ts";
import { record } from "../operation/audit/record.ts";
import { personOperation } from "../operation/callers.ts";
import { takeRecent } from "../operation/limits/recent-hits.ts";
import { recipientsOf } from "../operation/limits/recipient.ts";
import { mailNewEmail, tellFormerEmail } from "../operation/mail/email-mail.ts";
import type { Service } from "../operation/service/service.ts";
import { checkEmail } from "./people/create-person.ts";
import { setEmail } from "./people/set-email.ts";
import { holdSession } from "./sessions/hold-session.ts";

const AN_HOUR_AND_PERSON = 5;
const AN_HOUR_AND_RECIPIENT = 3;

const OFFER = `INSERT INTO new_email (hash, person_id, email, password_mark, expires_at)
  SELECT $2, id, $3, sha256(convert_to(password_hash, 'UTF8')), moment() + interval '1 hour' FROM person WHERE id = $1
  ON CONFLICT (person_id) DO UPDATE SET hash = excluded.hash, email = excluded.email,
    password_mark = excluded.password_mark, expires_at = excluded.expires_at
  RETURNING email`;

// A link works for its person alone, for an hour, and as long as the password is the one that it was asked for with.
const FIND = `SELECT email FROM new_email WHERE hash = $1 AND person_id = $2 AND new_email.expires_at > moment() AND EXISTS (SELECT FROM person
  WHERE person.id = new_email.person_id AND sha256(convert_to(person.password_hash, 'UTF8')) = password_mark)`;

const HOLD =
  "SELECT sha256(convert_to(password_hash, 'UTF8')) AS mark FROM person WHERE id = $1 FOR NO KEY UPDATE";

const USE = `DELETE FROM new_email WHERE hash = $1 AND person_id = $2 AND expires_at > moment() AND password_mark = $3
  RETURNING email`;

/**
 * Mails a link to a new address, which proves it; earlier links end. The answer and the mail do not depend on whether
 * another account has the address. The form has asked for the password. `too_many_email_changes` above the limits.
 */
export const requestEmail = personOperation({
  name: "account.request_email",
  async run({ service, db, caller }, input: { email: string; locale: Locale }) {
    const { person } = caller;
    const email = checkNewEmail(input.email);
    if (email === person.email)
      throw atField("same_email", "This is already the address of your account. Enter another one.");
    const recipients = recipientsOf(service, "recipient of a new address", email);
    const token = randomSecret();
    await db.transaction(async (tx) => {
      const wait = await takeRecent(tx, [
        { bucket: `new email of ${person.id}`, most: AN_HOUR_AND_PERSON, seconds: 3_600 },
        ...recipients.map((recipient) => ({
          bucket: `new email to ${recipient}`,
          most: AN_HOUR_AND_RECIPIENT,
          seconds: 3_600,
        })),
      ]);
      if (wait !== undefined) throw tooMany(wait);
      await holdSession(tx, caller);
      await tx.query(OFFER, [person.id, hashOf(token), email]);
      const entry = { action: "person.email_requested", personId: person.id, actor: person.id };
      await record(service, tx, entry);
    });
    const link = `${service.config.authUrl}/account/email/${token}`;
    mailNewEmail(service, { to: email, locale: input.locale, link });
  },
});

/** The new address that a link proves. `email_link_over` if it may not be used, or belongs to another person. */
export const readEmailLink = personOperation({
  name: "account.read_email_link",
  async run({ db, caller }, { link }: { link: string }): Promise<{ email: string }> {
    const [found] = await db.query<{ email: string }>(FIND, [hashOf(link), caller.person.id]);
    if (found === undefined) throw over();
    return found;
  },
});

/** Changes the address to the one that the link proves, uses up the link, and tells the old address by mail. */
export const changeEmail = personOperation({
  name: "account.change_email",
  async run({ service, db, caller }, { link, locale }: { link: string; locale: Locale }) {
    const personId = caller.person.id;
    const { email, former } = await db.transaction(async (tx) => {
      // as in other changes, the person is locked first; a refusal undoes it all, so the link stays open
      const [person] = await tx.query<{ mark: Buffer }>(HOLD, [personId]);
      const [used] = await tx.query<{ email: string }>(USE, [hashOf(link), personId, person?.mark]);
      if (used === undefined) throw over();
      const { email } = used;
      return { email, former: await setEmail(service, tx, { personId, email, actor: personId }) };
    });
    tellFormerEmail(service, { former, email, locale });
  },
});

/** Deletes links that have expired. */
export async function sweepEmailLinks(service: Service): Promise<void> {
  await service.db.query("DELETE FROM new_email WHERE expires_at < moment()");
}

/**
 * Returns a new address in the form that is stored. Mails name it in plain text, so characters that could make it a
 * link, several recipients or unreadable are refused.
 */
export function checkNewEmail(text: string): string {
  const email = text.trim();
  try {
    if (!/[\p{C}\p{Z}:/\\<>()[\],;"]/u.test(email)) return checkEmail(email);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  throw atField("bad_email", `"${email}" is not an e-mail address.`);
}

/** A refusal of the new address, which the form shows at its field. */
const atField = (code: string, message: string): Refusal =>
  new Refusal("malformed", code, message, { faults: [{ path: "$.email", code, message }] });

const over = (): Refusal =>
  new Refusal(
    "not_found",
    "email_link_over",
    "This link has been used or replaced, is older than an hour, or belongs to another account than the one you are signed in to.",
  );

const tooMany = (retryAfter: number): Refusal =>
  new Refusal(
    "too_many",
    "too_many_email_changes",
    "Too many links were requested, by you or for this address. Try again in an hour.",
    { retryAfter },
  );
