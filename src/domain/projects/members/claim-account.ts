import type { Transaction } from "../../../db/pool/database.ts";
import { record } from "../../operation/audit/record.ts";
import type { Service } from "../../operation/service/service.ts";
import { projectIdsOf } from "../../tenancy/list-projects.ts";
import { revokeAuthorizations } from "./revoke-authorizations.ts";

interface Claim {
  personId: string;
  passwordHash: string;
  /** Undefined keeps the account's name. */
  name?: string;
}

const TAKE_OVER = `UPDATE person SET password_hash = $2, password_changed_at = moment(), name = coalesce($3, name),
    verified_at = moment(), totp_sealed = NULL, totp_since = NULL
  WHERE id = $1 AND verified_at IS NULL RETURNING id`;

/**
 * What lets somebody in, or asks less of an application, without the password. Passkeys before sessions: a concurrent
 * sign-in holds its passkey's row until its session is committed.
 */
const WAYS_IN = ["passkey", "session", "recovery_code", "reset_link", "new_email", "consent_choice"];

/**
 * Gives an unverified account to the owner of its e-mail address, who has just proved it. The account is verified and
 * gets their password, and everything that the earlier holder could still use ends, in all projects; memberships stay.
 * Returns false if the account is gone or verified: of two concurrent claims, one succeeds. Afterwards the transaction
 * has no project open.
 */
export async function claimAccount(
  service: Service,
  tx: Transaction,
  { personId, passwordHash, name }: Claim,
): Promise<boolean> {
  // the person first: the row stays locked, and what a sign-in or an approval commits meanwhile is seen below
  const claimed = await tx.query(TAKE_OVER, [personId, passwordHash, name ?? null]);
  if (claimed.length === 0) return false;
  await record(service, tx, { action: "person.claimed", personId });
  for (const table of WAYS_IN) await tx.query(`DELETE FROM ${table} WHERE person_id = $1`, [personId]);
  for (const projectId of await projectIdsOf(tx, personId)) {
    await tx.query("SELECT set_config('leadgate.project', $1, true)", [projectId]);
    // codes first: a concurrent exchange has then either failed or made its authorization
    await tx.query(
      "DELETE FROM authorization_code WHERE project_id = $1 AND person_id = $2 AND consumed_at IS NULL",
      [projectId, personId],
    );
    await revokeAuthorizations(service, tx, { projectId, personId, actor: personId, why: "claimed" });
    await tx.query("DELETE FROM invitation WHERE project_id = $1 AND invited_by = $2", [projectId, personId]);
  }
  await tx.query("SELECT set_config('leadgate.project', '', true)");
  return true;
}
