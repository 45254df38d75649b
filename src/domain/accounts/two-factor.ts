import { Refusal } from "../../core/refusal.ts";
import { seal, unseal } from "../../core/secret.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { record } from "../operation/audit/record.ts";
import { personOperation } from "../operation/callers.ts";
import { tell } from "../operation/mail/notices.ts";
import type { Service } from "../operation/service/service.ts";
import { holdSession } from "./sessions/hold-session.ts";
import { renewRecoveryCodes } from "./sign-in/recovery-code.ts";
import { newTotpSecret, stepOfCode, totpAddress, totpPurpose } from "./sign-in/totp.ts";

/** The secret that a person enters in the app, and its sealed form, which the page sends back with the first code. */
export interface Enrolment {
  secret: string;
  address: string;
  sealed: string;
}

const enrolling = (personId: string, session: string): string => `totp enrolment ${personId} ${session}`;

/**
 * A secret for a new app. Nothing is stored until its first code is confirmed, so an abandoned page changes
 * nothing.
 */
export const beginTotp = personOperation({
  name: "two_factor.begin",
  async run({ service, caller: { person, session } }): Promise<Enrolment> {
    const secret = newTotpSecret();
    const sealed = seal(service.config.secretKeys, enrolling(person.id, session), secret);
    return { secret, address: totpAddress(service, person.email, secret), sealed };
  },
});

/** The same enrolment, for a page that shows it again; undefined if it belongs to another person or session. */
export const resumeTotp = personOperation({
  name: "two_factor.resume",
  async run(
    { service, caller: { person, session } },
    { sealed }: { sealed: string },
  ): Promise<Enrolment | undefined> {
    const secret = unseal(service.config.secretKeys, enrolling(person.id, session), sealed);
    return secret === undefined
      ? undefined
      : { secret, address: totpAddress(service, person.email, secret), sealed };
  },
});

/** Turns the second factor on with the app's first code, and returns ten recovery codes. */
export const confirmTotp = personOperation({
  name: "two_factor.confirm",
  async run({ service, db, caller }, given: { secret: string; code: string }): Promise<string[]> {
    const personId = caller.person.id;
    const codes = await db.transaction(async (tx) => {
      await holdSession(tx, caller);
      const step = await stepOfCode(tx, given.secret, given.code);
      if (step === undefined) {
        throw new Refusal("malformed", "wrong_code", "This code is wrong, or it has already been used.");
      }
      const sealed = seal(service.config.secretKeys, totpPurpose(personId), given.secret);
      const on = await tx.query(
        `UPDATE person SET totp_sealed = $2, totp_since = moment(), totp_step = $3
       WHERE id = $1 AND totp_sealed IS NULL RETURNING id`,
        [personId, sealed, step],
      );
      if (on.length === 0)
        throw new Refusal("conflict", "totp_on", "An authenticator app is already set up.");
      await note(service, tx, "person.two_factor_on", personId);
      return await renewRecoveryCodes(tx, personId);
    });
    tell(service, personId, { kind: "authenticator_on" });
    return codes;
  },
});

/** Turns the second factor off and deletes its recovery codes. If it is already off, nothing changes. */
export const endTotp = personOperation({
  name: "two_factor.end",
  async run({ service, db, caller }) {
    const personId = caller.person.id;
    const wasOn = await db.transaction(async (tx) => {
      const off = await tx.query(
        `UPDATE person SET totp_sealed = NULL, totp_since = NULL
       WHERE id = $1 AND totp_sealed IS NOT NULL RETURNING id`,
        [personId],
      );
      await tx.query("DELETE FROM recovery_code WHERE person_id = $1", [personId]);
      if (off.length > 0) await note(service, tx, "person.two_factor_off", personId);
      return off.length > 0;
    });
    if (wasOn) tell(service, personId, { kind: "authenticator_off" });
  },
});

/**
 * Removes app, recovery codes and passkeys, so that the password alone signs in. For operators, when a person lost
 * the phone or somebody else had access to the account. Returns the number of removed passkeys.
 */
export async function endAllFactors(service: Service, personId: string): Promise<{ passkeys: number }> {
  const ended = await service.db.transaction(async (tx) => {
    await tx.query("UPDATE person SET totp_sealed = NULL, totp_since = NULL WHERE id = $1", [personId]);
    await tx.query("DELETE FROM recovery_code WHERE person_id = $1", [personId]);
    const gone = await tx.query("DELETE FROM passkey WHERE person_id = $1 RETURNING id", [personId]);
    const passkeys = gone.length;
    await record(service, tx, { action: "person.factors_ended", personId, data: { passkeys } });
    return { passkeys };
  });
  tell(service, personId, { kind: "factors_ended" });
  return ended;
}

/** Makes ten new recovery codes; the previous ones end. Refused if no app is set up. */
export const replaceRecoveryCodes = personOperation({
  name: "two_factor.replace_codes",
  async run({ service, db, caller }): Promise<string[]> {
    const personId = caller.person.id;
    const codes = await db.transaction(async (tx) => {
      const on = await tx.query("SELECT FROM person WHERE id = $1 AND totp_sealed IS NOT NULL FOR UPDATE", [
        personId,
      ]);
      if (on.length === 0) throw new Refusal("conflict", "totp_off", "No authenticator app is set up.");
      await note(service, tx, "person.recovery_codes_renewed", personId);
      return await renewRecoveryCodes(tx, personId);
    });
    tell(service, personId, { kind: "recovery_codes_renewed" });
    return codes;
  },
});

/** Since when the second factor is on (null if it is off), and how many recovery codes are left. */
export const readTwoFactor = personOperation({
  name: "two_factor.read",
  async run({ db, caller }): Promise<{ since: Date | null; codes: number }> {
    const [row] = await db.query<{ since: Date | null; codes: number }>(
      `SELECT totp_since AS since, (SELECT count(*) FROM recovery_code WHERE person_id = person.id) AS codes
     FROM person WHERE id = $1`,
      [caller.person.id],
    );
    return row ?? { since: null, codes: 0 };
  },
});

const note = (service: Service, tx: Transaction, action: string, personId: string): Promise<void> =>
  record(service, tx, { action, personId, actor: personId });
