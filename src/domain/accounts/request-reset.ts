import type { Locale } from "../../core/locale.ts";
import { Refusal } from "../../core/refusal.ts";
import { record } from "../operation/audit/record.ts";
import { anonymousOperation, personOperation } from "../operation/callers.ts";
import { originOf } from "../operation/limits/origin-address.ts";
import { mailReset } from "../operation/mail/reset-mail.ts";
import type { Service } from "../operation/service/service.ts";
import { batchOf, inBatches } from "../sql/in-batches.ts";
import { findPerson } from "./people/create-person.ts";
import { offerReset } from "./reset-link.ts";
import { lockPerson } from "./sessions/hold-session.ts";

const AN_HOUR_AND_ADDRESS = 20;
const PAUSE_SECONDS = 60;

const TAKE = `WITH recent AS (
    SELECT at FROM reset_turn WHERE address = $1 AND at > moment() - interval '1 hour'
  ) INSERT INTO reset_turn (address, at) SELECT $1, moment() WHERE (SELECT count(*) FROM recent) < $2::int RETURNING at`;

/**
 * Mails a reset link to a known e-mail, at most one a minute. The response is the same, and as fast, for an unknown
 * e-mail: the mail is sent after the response. `too_many_resets` above twenty an hour from one origin address.
 */
export const requestReset = anonymousOperation({
  name: "account.request_reset",
  async run({ service }, input: { email: string; locale: Locale }) {
    await countRequest(service);
    mailLink(service, input).catch((error: unknown) =>
      service.log.error({ err: error }, "a reset link could not be made"),
    );
  },
});

/**
 * Mails an unverified person a link that proves their e-mail and sets a new password. Limited as requestReset is, and it
 * does nothing for a verified person.
 */
export const mailProof = personOperation({
  name: "account.mail_proof",
  async run({ service, caller: { person } }, { locale }: { locale: Locale }) {
    await countRequest(service);
    const known = await findPerson(service.db, person.email);
    if (known?.id === person.id && !known.verified) await mailLink(service, { email: known.email, locale });
  },
});

async function countRequest(service: Service): Promise<void> {
  const address = originOf(service.origin?.address ?? "");
  const taken = await service.db.transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('reset ' || $1, 0))", [address]);
    return await tx.query(TAKE, [address, AN_HOUR_AND_ADDRESS]);
  });
  if (taken.length > 0) return;
  throw new Refusal(
    "too_many",
    "too_many_resets",
    "Too many reset e-mails were requested. Try again in an hour.",
    {
      retryAfter: 3_600,
    },
  );
}

async function mailLink(
  service: Service,
  { email, locale }: { email: string; locale: Locale },
): Promise<void> {
  // without SMTP only the operator hands out links, and a new one would end theirs
  if (service.mailer === undefined) return;
  const person = await findPerson(service.db, email);
  if (person === undefined) return;
  const { id: personId } = person;
  const link = await service.db.transaction(async (tx) => {
    await lockPerson(tx, personId);
    // the address may have changed meanwhile: its former owner must not get a link to this account
    if ((await findPerson(tx, email))?.id !== personId) return undefined;
    const made = await offerReset(service, tx, { personId, pause: PAUSE_SECONDS });
    if (made !== undefined) await record(service, tx, { action: "person.reset_requested", personId });
    return made;
  });
  if (link !== undefined) mailReset(service, { to: person.email, locale: person.locale ?? locale, link });
}

const OVER = batchOf("reset_turn", "ctid", "at < moment() - interval '1 hour'");

/** Deletes hits that no longer count, in batches, and links that have expired. */
export async function sweepResets({ db }: Service): Promise<void> {
  await inBatches(() => db.query(OVER));
  await db.query("DELETE FROM reset_link WHERE expires_at < moment()");
}
