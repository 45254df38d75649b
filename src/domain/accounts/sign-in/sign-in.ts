import { Refusal } from "../../../core/refusal.ts";
import { anonymousOperation } from "../../operation/callers.ts";
import { accountByEmail } from "../people/account.ts";
import { isPassword, takePlace } from "../people/password.ts";
import { type Entered, enter, isUnchanged, noteFailure, tellOfBrowser } from "../sessions/enter.ts";
import { beginSecondStep } from "./second-step.ts";
import { type Attempt, bucketsOf, startAttempt } from "./sign-in-attempt.ts";

/** The password was right and a code is required next; `state` is valid for five minutes. */
export interface AwaitsCode {
  state: string;
}

const wrong = (): Refusal =>
  new Refusal("unauthenticated", "wrong_credentials", "The e-mail or the password is wrong.");

/**
 * Signs a person in with a new session, or starts the second step. An unknown e-mail gets the same response as a
 * wrong password, in the same time, and is throttled in the same way (`too_many_attempts`).
 */
export const signIn = anonymousOperation({
  name: "sign_in.password",
  async run(
    { service, db, caller: at },
    input: { email: string; password: string },
  ): Promise<Entered | AwaitsCode> {
    const { spelling, account } = await accountByEmail(db, input.email);
    const attempt = await startAttempt(
      service,
      bucketsOf(service, { account: spelling, personId: account?.id, device: at.device }),
      takePlace,
    );
    const isRight = await looked(attempt, () =>
      isPassword(account?.passwordHash, input.password, attempt.place),
    );
    if (!isRight || account === undefined) {
      if (account !== undefined) noteFailure(service, account.id, "password");
      throw wrong();
    }
    await attempt.succeeded();
    if (account.totp !== null) return { state: await beginSecondStep(service, at.visit, account) };
    const entered = await db.transaction(async (tx) => {
      if (!(await isUnchanged(tx, account))) throw wrong();
      return await enter(service, tx, {
        personId: account.id,
        verified: account.verified,
        former: at.former,
        shown: { method: "password" },
      });
    });
    tellOfBrowser(service, account.id, at.device);
    return entered;
  },
});

/** Returns the result of a check; an attempt that could not be checked does not count. */
export async function looked<T>(attempt: Attempt, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    await attempt.undone();
    throw error;
  }
}
