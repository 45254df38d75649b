import type { Locale } from "../../../core/locale.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { violatedBy } from "../../../db/statements/violated.ts";
import { record } from "../../operation/audit/record.ts";
import type { Service } from "../../operation/service/service.ts";

/** What an account was called before its address changed. */
export interface FormerEmail {
  email: string;
  /** Whether it was known to be this person's. */
  verified: boolean;
  locale: Locale | null;
  changedAt: Date;
}

/** The refusal of an address that another account has. Only whoever proved the address, or the operator, may see it. */
const emailInUse = (): Refusal =>
  new Refusal(
    "conflict",
    "email_in_use",
    "Another account uses this address. If it is yours, reset its password to get in, then delete it or change its address.",
  );

/**
 * Gives an account another address, which counts as verified, and ends its reset links. Sessions stay: the password is
 * the same, and nothing that reached the old address works any more. `email_in_use` if another account has it.
 */
export async function setEmail(
  service: Service,
  tx: Transaction,
  { personId, email, actor }: { personId: string; email: string; actor?: string },
): Promise<FormerEmail> {
  const changed = await tx
    .query<FormerEmail>(
      `UPDATE person SET email = $2, verified_at = moment()
       FROM (SELECT email, locale, verified_at IS NOT NULL AS verified FROM person WHERE id = $1 FOR NO KEY UPDATE) AS former
       WHERE id = $1 RETURNING former.email, former.locale, former.verified, verified_at AS "changedAt"`,
      [personId, email],
    )
    .catch((error: unknown) => {
      throw violatedBy(error) === "person_email" ? emailInUse() : error;
    });
  const [former] = changed;
  if (former === undefined) throw new Refusal("not_found", "no_person", "This account no longer exists.");
  await tx.query("DELETE FROM reset_link WHERE person_id = $1", [personId]);
  await tx.query("DELETE FROM new_email WHERE person_id = $1", [personId]);
  const by = actor === undefined ? {} : { actor };
  await record(service, tx, { action: "person.email_changed", personId, ...by });
  return former;
}
