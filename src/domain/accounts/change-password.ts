import { Refusal } from "../../core/refusal.ts";
import { record } from "../operation/audit/record.ts";
import { personOperation } from "../operation/callers.ts";
import { tell } from "../operation/mail/notices.ts";
import { hashPassword } from "./people/password.ts";
import { provePassword, wrongPassword } from "./prove-self.ts";
import { startSession } from "./sessions/session.ts";

function samePassword(): Refusal {
  const [code, message] = ["same_password", "This is your current password. Choose another one."];
  return new Refusal("malformed", code, message, { faults: [{ path: "$.password", code, message }] });
}

/**
 * Changes a person's password. All sessions end, and this browser gets a new one. Applications keep their access;
 * the person can revoke it separately.
 */
export const changePassword = personOperation({
  name: "account.change_password",
  async run(
    { service, db, caller },
    input: { present: string; fresh: string },
  ): Promise<{ session: string }> {
    const personId = caller.person.id;
    const known = await provePassword(service, caller, input.present);
    if (input.fresh === input.present) throw samePassword();
    const hash = await hashPassword(input.fresh, caller.person);
    const session = await db.transaction(async (tx) => {
      // of two concurrent changes, the second finds that the current password has changed
      const changed = await tx.query(
        `UPDATE person SET password_hash = $3, password_changed_at = moment()
       WHERE id = $1 AND password_hash = $2 RETURNING id`,
        [personId, known, hash],
      );
      if (changed.length === 0) throw wrongPassword();
      await tx.query("DELETE FROM session WHERE person_id = $1", [personId]);
      // on an unverified account it stays: with it, the owner of the address claims the account
      await tx.query(
        `DELETE FROM reset_link
         WHERE person_id = (SELECT id FROM person WHERE id = $1 AND verified_at IS NOT NULL)`,
        [personId],
      );
      await record(service, tx, { action: "person.password_changed", personId, actor: personId });
      return await startSession(service, tx, personId);
    });
    tell(service, personId, { kind: "password_changed" });
    return { session };
  },
});
