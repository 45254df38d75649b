import { hashOf } from "../../../core/secret.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { record } from "../../operation/audit/record.ts";
import { tell } from "../../operation/mail/notices.ts";
import type { Service } from "../../operation/service/service.ts";
import type { Account } from "../people/account.ts";
import { deviceOf } from "./known-device.ts";
import { startSession } from "./session.ts";

/** How the person signed in. */
export interface Shown {
  method: "password" | "passkey";
  second_factor?: "totp" | "recovery_code" | "passkey";
}

/** A browser that signed in, with the token of its new session. */
export interface Entered {
  personId: string;
  token: string;
  /** Whether the account is verified: only then is the browser remembered as the person's. */
  verified: boolean;
}

/** Starts the new session and ends the browser's previous one (against session fixation); audited. */
export async function enter(
  service: Service,
  tx: Transaction,
  by: { personId: string; verified: boolean; former: string | undefined; shown: Shown },
): Promise<Entered> {
  const { personId, verified, former, shown } = by;
  if (former !== undefined) await tx.query("DELETE FROM session WHERE hash = $1", [hashOf(former)]);
  const token = await startSession(service, tx, personId);
  await record(service, tx, {
    action: "person.signed_in",
    personId,
    actor: personId,
    data: { ...shown },
  });
  return { personId, token, verified };
}

/** Notifies a person who signed in on a browser without their mark; `device` is the mark that it sent. */
export function tellOfBrowser(service: Service, personId: string, device: string | undefined): void {
  if (deviceOf(service, device, personId) === undefined) tell(service, personId, { kind: "new_browser" });
}

/**
 * Whether password and second factor are still the ones that were checked. The row stays locked until the session
 * is committed, so a concurrent password change either ends that session or is seen here.
 */
export async function isUnchanged(tx: Transaction, account: Account): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM person WHERE id = $1 AND password_hash = $2 AND totp_sealed IS NOT DISTINCT FROM $3 FOR NO KEY UPDATE`,
    [account.id, account.passwordHash, account.totp],
  );
  return rows.length === 1;
}

/** Records a failed sign-in after the response: only known persons have a record, and timing must not reveal that. */
export function noteFailure(
  service: Service,
  personId: string,
  reason: "password" | "code" | "passkey",
): void {
  record(service, service.db, { action: "person.sign_in_failed", personId, data: { reason } }).catch(
    (error: unknown) => service.log.warn({ err: error }, "a failed sign-in was not recorded"),
  );
}
