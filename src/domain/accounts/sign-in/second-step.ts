import { Refusal } from "../../../core/refusal.ts";
import { hashOf, seal, unseal } from "../../../core/secret.ts";
import { anonymousOperation } from "../../operation/callers.ts";
import { takeRecent } from "../../operation/limits/recent-hits.ts";
import { behind } from "../../operation/mail/mail.ts";
import { tell } from "../../operation/mail/notices.ts";
import type { Service } from "../../operation/service/service.ts";
import { type Account, accountOf } from "../people/account.ts";
import { type Entered, enter, isUnchanged, noteFailure, tellOfBrowser } from "../sessions/enter.ts";
import { takeRecoveryCode } from "./recovery-code.ts";
import { bucketOfPerson, startAttempt } from "./sign-in-attempt.ts";
import { takeTotp } from "./totp.ts";

const SECONDS = 300;

/** The content of the sealed state: whose password was right, a hash of its stored hash, and when the state ends. */
interface Step {
  person: string;
  password: string;
  /** Seconds since 1970 by the database's clock. */
  until: number;
}

const purposeOf = (visit: string): string => `second step ${visit}`;
const markOf = ({ passwordHash }: Account): string => hashOf(passwordHash).toString("base64url");

/**
 * The state between password and code: sealed, bound to this browser's visit, valid for five minutes. There is no
 * session yet.
 */
export async function beginSecondStep(service: Service, visit: string, account: Account): Promise<string> {
  const [clock] = await service.db.query<{ until: number }>(
    "SELECT extract(epoch FROM moment())::float8 + $1 AS until",
    [SECONDS],
  );
  const step: Step = { person: account.id, password: markOf(account), until: clock?.until ?? 0 };
  return seal(service.config.secretKeys, purposeOf(visit), JSON.stringify(step));
}

/**
 * Completes sign-in with a code of the app or a recovery code. `step_over` if the state is expired or from another
 * browser, or the password has changed since; `wrong_code` counts as a failed attempt.
 */
export const passSecondStep = anonymousOperation({
  name: "sign_in.second_step",
  async run(
    { service, db, caller: at },
    given: { state: string; code: string; recovery: string },
  ): Promise<Entered> {
    const account = await accountAt(service, given.state, at.visit);
    const about = { personId: account.id, device: at.device };
    const attempt = await startAttempt(service, [bucketOfPerson(service, "code", about)]);
    const outcome = await db.transaction(async (tx) => {
      if (!(await isUnchanged(tx, account))) throw over();
      const isCode = await takeTotp(service, tx, account, given.code);
      const left = isCode ? undefined : await takeRecoveryCode(service, tx, account.id, given.recovery);
      if (!isCode && left === undefined) return undefined;
      const shown = { method: "password", second_factor: isCode ? "totp" : "recovery_code" } as const;
      const { id: personId, verified } = account;
      return { left, entered: await enter(service, tx, { personId, verified, former: at.former, shown }) };
    });
    if (outcome === undefined) {
      noteFailure(service, account.id, "code");
      tellOfWrongCodes(service, account.id);
      throw new Refusal("unauthenticated", "wrong_code", "This code is wrong, or it has already been used.");
    }
    await attempt.succeeded();
    const { entered, left } = outcome;
    if (left !== undefined) tell(service, account.id, { kind: "recovery_code_used", left });
    tellOfBrowser(service, account.id, at.device);
    return entered;
  },
});

const over = (): Refusal =>
  new Refusal("forbidden", "step_over", "That took too long. Sign in again with your password.");

/**
 * Notifies a person from the third wrong code in an hour on, at most once an hour: whoever enters them knows the
 * password.
 */
function tellOfWrongCodes(service: Service, personId: string): void {
  const mistakes = { bucket: `wrong codes ${personId}`, most: 2, seconds: 3_600 };
  behind(service, async () => {
    const isThird = await service.db.transaction(
      async (tx) => (await takeRecent(tx, [mistakes])) !== undefined,
    );
    if (isThird) tell(service, personId, { kind: "wrong_codes" });
  });
}

async function accountAt(service: Service, state: string, visit: string): Promise<Account> {
  const text = unseal(service.config.secretKeys, purposeOf(visit), state);
  if (text === undefined) throw over();
  const step = JSON.parse(text) as Step; // sealed by beginSecondStep alone
  const account = await accountOf(service.db, step.person);
  const [clock] = await service.db.query<{ over: boolean }>("SELECT to_timestamp($1) <= moment() AS over", [
    step.until,
  ]);
  if (account === undefined || account.totp === null || clock?.over !== false) throw over();
  if (markOf(account) !== step.password) throw over();
  return account;
}
