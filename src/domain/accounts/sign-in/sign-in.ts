import { Refusal } from "../../../core/refusal.ts";
import type { Service } from "../../operation/service/service.ts";
import { accountByEmail } from "../people/account.ts";
import { isPassword } from "../people/password.ts";
import { type AtBrowser, type Entered, enter, isUnchanged, noteFailure } from "../sessions/enter.ts";
import { beginSecondStep } from "./second-step.ts";
import { bucketsOf, type Turn, takeTurn } from "./sign-in-turn.ts";

/** A password was right, and a code is asked next; `state` carries that for five minutes. */
export interface AwaitsCode {
  state: string;
}

const wrong = (): Refusal =>
  new Refusal("unauthenticated", "wrong_credentials", "The e-mail or the password is wrong.");

/**
 * Signs a person in: a new session each time, or the second step. An unknown e-mail answers like a wrong
 * password, in the same time, and both are throttled alike (`too_many_attempts`).
 */
export async function signIn(
  service: Service,
  input: { email: string; password: string },
  at: AtBrowser,
): Promise<Entered | AwaitsCode> {
  const { spelling, account } = await accountByEmail(service.db, input.email);
  const turn = await takeTurn(
    service,
    bucketsOf(service, { account: spelling, personId: account?.id, device: at.device }),
  );
  const isRight = await looked(turn, () => isPassword(account?.passwordHash, input.password));
  if (!isRight || account === undefined) {
    if (account !== undefined) noteFailure(service, account.id, "password");
    throw wrong();
  }
  await turn.succeeded();
  if (account.totp !== null) return { state: await beginSecondStep(service, at.visit, account) };
  return await service.db.transaction(async (tx) => {
    if (!(await isUnchanged(tx, account))) throw wrong();
    return await enter(service, tx, {
      personId: account.id,
      former: at.former,
      shown: { method: "password" },
    });
  });
}

/** What a check says; an attempt that could not be checked does not count. */
export async function looked<T>(turn: Turn, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    await turn.undone();
    throw error;
  }
}
