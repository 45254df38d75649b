import type { Scope } from "../../core/permission.ts";
import type { Transaction } from "../../db/database.ts";
import { record } from "../audit/record.ts";
import type { RefreshAddress } from "./refresh-text.ts";

// Judges and marks in one statement, so that no rotation slips between the two. A genuine token that is not
// the current one was superseded, or comes from before a restored backup: either way somebody holds a copy.
const END = `
  UPDATE "authorization" SET
    revoked_at = CASE WHEN generation = $3 AND refresh_hash = $4 THEN revoked_at ELSE coalesce(revoked_at, moment()) END,
    revoked_why = CASE WHEN generation = $3 AND refresh_hash = $4 THEN revoked_why ELSE coalesce(revoked_why, 'replay') END
  WHERE project_id = $1 AND id = $2 AND client_id = $5
  RETURNING generation = $3 AND refresh_hash = $4 AS current, revoked_at IS NULL AND refresh_expires_at > moment() AS alive,
    person_id AS "personId", scopes`;

interface Ended {
  current: boolean;
  alive: boolean;
  personId: string;
  scopes: Scope[];
}

/** Ends the authorization of a refresh token that is genuine but not current (OAuth 2.1 4.3.1), and says what it found. */
export async function endReplayed(
  tx: Transaction,
  shown: RefreshAddress,
  clientId: string,
): Promise<"replayed" | "dead" | { scopes: Scope[] }> {
  const { projectId, authorizationId, generation, hash } = shown;
  const rows = await tx.query<Ended>(END, [projectId, authorizationId, generation, hash, clientId]);
  const found = rows[0];
  if (found === undefined) return "dead";
  if (found.current) return found.alive ? { scopes: found.scopes } : "dead";
  await record(tx, {
    action: "refresh.replayed",
    projectId,
    personId: found.personId,
    actor: clientId,
    data: { authorization_id: authorizationId, generation },
  });
  return "replayed";
}
