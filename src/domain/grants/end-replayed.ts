import type { Scope } from "../../core/permission.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { record } from "../operation/audit/record.ts";
import { recordRepeated } from "../operation/audit/record-repeated.ts";
import type { Service } from "../operation/service/service.ts";
import type { RefreshAddress } from "./token-text.ts";

// Without a lock: a token that is not the current one never becomes it again.
const JUDGE = `SELECT generation = $3 AND refresh_hash = $4 AS current, revoked_at IS NULL AS open,
    refresh_expires_at > moment() AS fresh, person_id AS "personId", client_name AS "clientName", scopes
  FROM "authorization" WHERE project_id = $1 AND id = $2 AND client_id = $5`;

const END = `UPDATE "authorization" SET revoked_at = moment(), revoked_why = 'replay'
  WHERE project_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`;

interface Judged {
  current: boolean;
  open: boolean;
  fresh: boolean;
  personId: string;
  clientName: string;
  scopes: Scope[];
}

/** `ended` is true if this replay revoked the authorization, and false if it had ended before. */
type Verdict =
  | "dead"
  | { scopes: Scope[] }
  | { replayed: { personId: string; clientName: string }; ended: boolean };

/**
 * Revokes the authorization of a refresh token that is genuine but not current (OAuth 2.1 4.3.1), and returns the
 * verdict. Such a token was superseded, or was issued after the backup that has been restored; in both cases a copy
 * may exist. All replays of one authorization are one audit entry.
 */
export async function endReplayed(
  service: Service,
  shown: RefreshAddress,
  clientId: string,
): Promise<Verdict> {
  const { projectId, authorizationId, generation, hash } = shown;
  const db = service.db.behind(serviceDoor(projectId));
  const rows = await db.query<Judged>(JUDGE, [projectId, authorizationId, generation, hash, clientId], {
    prepare: true,
    short: "read",
  });
  const found = rows[0];
  if (found === undefined) return "dead";
  const { current, open, fresh, personId, clientName, scopes } = found;
  if (current) return open && fresh ? { scopes } : "dead";
  const entry = {
    ...{ action: "refresh.replayed", projectId, personId, actor: clientId },
    data: { authorization_id: authorizationId, generation },
    once: `refresh.replayed ${authorizationId}`,
  };
  const ended =
    open &&
    (await db.transaction(async (tx) => {
      const revoked = await tx.query(END, [projectId, authorizationId]);
      if (revoked.length > 0) await record(service, tx, entry);
      return revoked.length > 0;
    }));
  if (!ended) await recordRepeated(service, entry);
  return { replayed: { personId, clientName }, ended };
}
