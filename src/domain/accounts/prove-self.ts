import { Refusal } from "../../core/refusal.ts";
import type { Service } from "../operation/service/service.ts";
import { accountOf } from "./people/account.ts";
import { isPassword } from "./people/password.ts";
import { takeRecoveryCode } from "./sign-in/recovery-code.ts";
import { looked } from "./sign-in/sign-in.ts";
import { bucketOfPerson, takeTurn } from "./sign-in/sign-in-turn.ts";
import { takeTotp } from "./sign-in/totp.ts";

/** The refusal of a form that asked for the present password and got another. */
export const wrongPassword = (): Refusal =>
  new Refusal("forbidden", "wrong_password", "This is not your current password. Nothing was changed.");

/**
 * Makes sure that whoever holds the session knows the password too, throttled by person; answers its hash, for
 * a change to compare.
 */
export async function provePassword(
  service: Service,
  by: { personId: string; password: string; device?: string | undefined },
): Promise<string> {
  const account = await accountOf(service.db, by.personId);
  if (account === undefined) throw wrongPassword();
  const about = { personId: account.id, device: by.device };
  const turn = await takeTurn(service, [bucketOfPerson(service, "proof", about)]);
  const isRight = await looked(turn, () => isPassword(account.passwordHash, by.password));
  if (!isRight) throw wrongPassword();
  await turn.succeeded();
  return account.passwordHash;
}

/**
 * The rule for whatever changes how somebody signs in: the form itself asks for the password, or for a code
 * where an app is set up. A session alone, stolen or left open, changes nothing; no time window to reason about.
 * `wrong_proof` otherwise, throttled by person.
 */
export async function proveSelf(
  service: Service,
  by: { personId: string; proof: string; device?: string | undefined },
): Promise<void> {
  const account = await accountOf(service.db, by.personId);
  if (account === undefined) throw wrong();
  const about = { personId: account.id, device: by.device };
  const turn = await takeTurn(service, [bucketOfPerson(service, "proof", about)]);
  const isRight = await looked(
    turn,
    async () =>
      (await service.db.transaction((tx) => takeTotp(service, tx, account, by.proof))) ||
      (await isPassword(account.passwordHash, by.proof)) ||
      (account.totp !== null &&
        (await service.db.transaction((tx) => takeRecoveryCode(service, tx, account.id, by.proof)))),
  );
  if (!isRight) throw wrong();
  await turn.succeeded();
}

const wrong = (): Refusal => new Refusal("forbidden", "wrong_proof", "That is not your password.");
