import type { Scope } from "../../core/permission.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { record } from "../operation/audit/record.ts";
import type { Service } from "../operation/service/service.ts";
import type { RefreshAddress } from "./token-text.ts";

// The lock prevents a rotation between the check and the revocation.
const JUDGE = `SELECT generation = $3 AND refresh_hash = $4 AS current, revoked_at IS NULL AS open,
    refresh_expires_at > moment() AS fresh, person_id AS "personId", client_name AS "clientName", scopes
  FROM "authorization" WHERE project_id = $1 AND id = $2 AND client_id = $5 FOR UPDATE`;

const END = `UPDATE "authorization" SET revoked_at = moment(), revoked_why = 'replay'
  WHERE project_id = $1 AND id = $2 AND revoked_at IS NULL`;

interface Judged {
  current: boolean;
  open: boolean;
  fresh: boolean;
  personId: string;
  clientName: string;
  scopes: Scope[];
}

/** `ended` is true if this replay revoked the authorization, and false if an earlier one had. */
type Verdict =
  | "dead"
  | { scopes: Scope[] }
  | { replayed: { personId: string; clientName: string }; ended: boolean };

/**
 * Revokes the authorization of a refresh token that is genuine but not current (OAuth 2.1 4.3.1), and returns the
 * verdict. Such a token was superseded, or was issued after the backup that has been restored; in both cases a copy
 * may exist.
 */
export async function endReplayed(
  service: Service,
  tx: Transaction,
  shown: RefreshAddress,
  clientId: string,
): Promise<Verdict> {
  const { projectId, authorizationId, generation, hash } = shown;
  const rows = await tx.query<Judged>(JUDGE, [projectId, authorizationId, generation, hash, clientId]);
  const found = rows[0];
  if (found === undefined) return "dead";
  const { current, open, fresh, personId, clientName, scopes } = found;
  if (current) return open && fresh ? { scopes } : "dead";
  if (open) await tx.query(END, [projectId, authorizationId]);
  const data = { authorization_id: authorizationId, generation };
  await record(service, tx, { action: "refresh.replayed", projectId, personId, actor: clientId, data });
  return { replayed: { personId, clientName }, ended: open };
}
