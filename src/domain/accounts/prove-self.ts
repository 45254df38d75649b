import { Refusal } from "../../core/refusal.ts";
import { personOperation, type SignedIn } from "../operation/callers.ts";
import { tell } from "../operation/mail/notices.ts";
import type { Service } from "../operation/service/service.ts";
import { accountOf } from "./people/account.ts";
import { isPassword, takePlace } from "./people/password.ts";
import { takeRecoveryCode } from "./sign-in/recovery-code.ts";
import { looked } from "./sign-in/sign-in.ts";
import { bucketOfPerson, startAttempt } from "./sign-in/sign-in-attempt.ts";
import { takeTotp } from "./sign-in/totp.ts";

/** The refusal for a wrong current password. */
export const wrongPassword = (): Refusal =>
  new Refusal("forbidden", "wrong_password", "This is not your current password. Nothing was changed.");

/**
 * Checks the password of the signed-in person, throttled by person. Returns its hash, so that a change can compare
 * it.
 */
export async function provePassword(service: Service, by: SignedIn, password: string): Promise<string> {
  const account = await accountOf(service.db, by.person.id);
  if (account === undefined) throw wrongPassword();
  const about = { personId: account.id, device: by.device };
  const attempt = await startAttempt(service, [bucketOfPerson(service, "proof", about)], takePlace);
  const isRight = await looked(attempt, () => isPassword(account.passwordHash, password, attempt.place));
  if (!isRight) throw wrongPassword();
  await attempt.succeeded();
  return account.passwordHash;
}

/**
 * Checks the proof that every change to sign-in methods requires: the password, or a code if an app is set up. A
 * stolen or unattended session alone can change nothing. `wrong_proof` otherwise, throttled by person.
 */
export const proveSelf = personOperation({
  name: "account.prove",
  async run({ service, db, caller }, { proof }: { proof: string }) {
    const account = await accountOf(db, caller.person.id);
    if (account === undefined) throw wrong();
    const about = { personId: account.id, device: caller.device };
    const attempt = await startAttempt(service, [bucketOfPerson(service, "proof", about)]);
    const proved = await looked(attempt, async () => {
      if (await db.transaction((tx) => takeTotp(service, tx, account, proof))) return {};
      if (await isPassword(account.passwordHash, proof)) return {};
      if (account.totp === null) return undefined;
      const left = await db.transaction((tx) => takeRecoveryCode(service, tx, account.id, proof));
      return left === undefined ? undefined : { left };
    });
    if (proved === undefined) throw wrong();
    await attempt.succeeded();
    const { left } = proved;
    if (left !== undefined) tell(service, account.id, { kind: "recovery_code_used", left });
  },
});

const wrong = (): Refusal => new Refusal("forbidden", "wrong_proof", "That is not your password.");
