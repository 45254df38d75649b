import { hashOf } from "../../core/secret.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { hashPassword } from "../accounts/people/password.ts";
import { openReset, resetOver } from "../accounts/reset-link.ts";
import { lockPerson } from "../accounts/sessions/hold-session.ts";
import { record } from "../operation/audit/record.ts";
import { anonymousOperation } from "../operation/callers.ts";
import { tellOfClaim } from "../operation/mail/claim-mail.ts";
import { tell } from "../operation/mail/notices.ts";
import type { Service } from "../operation/service/service.ts";
import { claimAccount } from "./members/claim-account.ts";

interface NewPassword {
  link: string;
  password: string;
  /** Whether the passkeys of a verified account are removed too; those of an unverified one always are. */
  endPasskeys: boolean;
}

/**
 * Sets a new password with a reset link, which is then used up. All sessions end. An unverified account is claimed:
 * see claimAccount. On a verified one, the authenticator app and the access of applications are unchanged, because a
 * mailbox alone must not switch off the second factor. Returns whether the account was claimed.
 */
export const resetPassword = anonymousOperation({
  name: "account.reset_password",
  async run(context, { link, password, endPasskeys }: NewPassword): Promise<{ claimed: boolean }> {
    // check the link first, so that requests without one cost no password hash
    const { personId, email, name, locale } = await openReset.run(context, { link });
    // the current password is allowed: refusing it would confirm it to whoever holds the link
    const passwordHash = await hashPassword(password, { email, name });
    const { service, db } = context;
    let removed: string[] = [];
    const claimed = await db.transaction(async (tx) => {
      // the person first, as in every other change of the password
      await lockPerson(tx, personId);
      const used = await tx.query(
        "DELETE FROM reset_link WHERE hash = $1 AND person_id = $2 AND expires_at > moment() RETURNING hash",
        [hashOf(link), personId],
      );
      if (used.length === 0) throw resetOver();
      await record(service, tx, { action: "person.password_reset", personId });
      if (await claimAccount(service, tx, { personId, passwordHash })) return true;
      await tx.query("UPDATE person SET password_hash = $2, password_changed_at = moment() WHERE id = $1", [
        personId,
        passwordHash,
      ]);
      // before the sessions: a concurrent sign-in holds its passkey's row until its session is committed
      if (endPasskeys) removed = await removePasskeys(service, tx, personId);
      await tx.query("DELETE FROM session WHERE person_id = $1", [personId]);
      return false;
    });
    if (claimed) tellOfClaim(service, { to: email, locale });
    else tell(service, personId, { kind: "password_changed" });
    for (const name of removed) tell(service, personId, { kind: "passkey_removed", name });
    return { claimed };
  },
});

/** Removes all passkeys of a person and returns their names. */
async function removePasskeys(service: Service, tx: Transaction, personId: string): Promise<string[]> {
  const gone = await tx.query<{ name: string }>("DELETE FROM passkey WHERE person_id = $1 RETURNING name", [
    personId,
  ]);
  for (const { name } of gone)
    await record(service, tx, { action: "person.passkey_removed", personId, data: { name } });
  return gone.map(({ name }) => name);
}
