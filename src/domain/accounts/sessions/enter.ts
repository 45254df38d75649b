import { hashOf } from "../../../core/secret.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { record } from "../../operation/audit/record.ts";
import type { Service } from "../../operation/service/service.ts";
import type { Account } from "../people/account.ts";
import { startSession } from "./session.ts";

/** How somebody showed who they are. */
export interface Shown {
  method: "password" | "passkey";
  second_factor?: "totp" | "recovery_code" | "passkey";
}

/** A browser that signed in: the token of its new session. */
export interface Entered {
  personId: string;
  token: string;
}

/** Starts the new session and ends the one that the browser came with (session fixation); audited. */
export async function enter(
  service: Service,
  tx: Transaction,
  by: { personId: string; former: string | undefined; shown: Shown },
): Promise<Entered> {
  const { personId, former, shown } = by;
  if (former !== undefined) await tx.query("DELETE FROM session WHERE hash = $1", [hashOf(former)]);
  const token = await startSession(service, tx, personId);
  await record(service, tx, {
    action: "person.signed_in",
    personId,
    actor: personId,
    data: { ...shown },
  });
  return { personId, token };
}

/**
 * Whether password and second factor are still the ones that were checked. The row stays as it is until the
 * session stands, so that a password changed meanwhile ends that session too, or is seen here.
 */
export async function isUnchanged(tx: Transaction, account: Account): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM person WHERE id = $1 AND password_hash = $2 AND totp_sealed IS NOT DISTINCT FROM $3 FOR NO KEY UPDATE`,
    [account.id, account.passwordHash, account.totp],
  );
  return rows.length === 1;
}

/** Writes a failed sign-in down behind the answer: only known persons have one, and its time must not tell. */
export function noteFailure(
  service: Service,
  personId: string,
  reason: "password" | "code" | "passkey",
): void {
  record(service, service.db, { action: "person.sign_in_failed", personId, data: { reason } }).catch(
    (error: unknown) => service.log.warn({ err: error }, "a failed sign-in was not recorded"),
  );
}
