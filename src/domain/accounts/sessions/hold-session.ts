import { Refusal } from "../../../core/refusal.ts";
import { hashOf } from "../../../core/secret.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { SignedIn } from "../../operation/callers.ts";

/** Locks a person's row until the transaction ends, so that it commits before or after a claim, a reset or a sign-in. */
export async function lockPerson(tx: Transaction, personId: string): Promise<void> {
  await tx.query("SELECT FROM person WHERE id = $1 FOR NO KEY UPDATE", [personId]);
}

/**
 * Locks the person and refuses (`sign_in`) if the session has ended. For changes that outlive a session, such as a new
 * passkey: one that races with a claim or a reset either is removed by it or is refused here.
 */
export async function holdSession(
  tx: Transaction,
  { person, session }: Pick<SignedIn, "person" | "session">,
): Promise<void> {
  await lockPerson(tx, person.id);
  // a separate statement: it sees what was committed while the lock was awaited
  const living = await tx.query("SELECT FROM session WHERE hash = $1 AND person_id = $2", [
    hashOf(session),
    person.id,
  ]);
  if (living.length === 0) throw new Refusal("unauthenticated", "sign_in", "Sign in first.");
}
