import { Refusal } from "../../core/refusal.ts";
import { hashOf } from "../../core/secret.ts";
import { record } from "../operation/audit/record.ts";
import { anonymousOperation } from "../operation/callers.ts";
import { tell } from "../operation/mail/notices.ts";
import { hashPassword } from "./people/password.ts";
import { ownerOfReset } from "./reset-link.ts";

/** The refusal for a link that was used or replaced or has expired. */
export const resetOver = (): Refusal =>
  new Refusal(
    "not_found",
    "reset_over",
    "This link has been used, replaced by a newer one, or is older than an hour.",
  );

/**
 * Sets a new password with a reset link, which is then used up. All sessions end; second factors and the access of
 * applications are unchanged.
 */
export const resetPassword = anonymousOperation({
  name: "account.reset_password",
  async run({ service, db }, { link, password }: { link: string; password: string }) {
    // check the link first, so that requests without one cost no password hash
    const owner = await ownerOfReset(db, link);
    if (owner === undefined) throw resetOver();
    // the current password is allowed: refusing it would confirm it to whoever holds the link
    const hash = await hashPassword(password, owner);
    const personId = await db.transaction(async (tx) => {
      const [used] = await tx.query<{ id: string }>(
        "DELETE FROM reset_link WHERE hash = $1 AND expires_at > moment() RETURNING person_id AS id",
        [hashOf(link)],
      );
      if (used === undefined) throw resetOver();
      await tx.query("UPDATE person SET password_hash = $2, password_changed_at = moment() WHERE id = $1", [
        used.id,
        hash,
      ]);
      await tx.query("DELETE FROM session WHERE person_id = $1", [used.id]);
      await record(service, tx, { action: "person.password_reset", personId: used.id });
      return used.id;
    });
    tell(service, personId, { kind: "password_changed" });
  },
});
