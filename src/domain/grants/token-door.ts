import { type Permission, permissionsOfGrant, ROLES, SCOPES, type Scope } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Door } from "../../db/database.ts";

const OPEN = `SELECT t.scopes && $3::text[] AND m.role = ANY($4) AS allowed,
    CASE WHEN t.scopes && $3::text[] AND m.role = ANY($4)
      THEN set_config('leadgate.project', t.project_id, true) END AS opened
  FROM store.access_token t
  JOIN store."authorization" a ON a.project_id = t.project_id AND a.id = t.authorization_id
  JOIN leadgate.membership m ON m.person_id = a.person_id AND m.project_id = a.project_id
  WHERE t.project_id = $1 AND t.hash = $2 AND t.revoked_at IS NULL AND a.revoked_at IS NULL
    AND t.expires_at > leadgate.moment()`;

/** Opens an access token's project when token, authorization and membership live and scope and role allow it. */
export function tokenDoor(token: { projectId: string; hash: Buffer }, needs: Permission): Door {
  const scopes = SCOPES.filter((scope) => permissionsOfGrant([scope], "owner").includes(needs));
  const roles = ROLES.filter((role) => permissionsOfGrant(SCOPES, role).includes(needs));
  return {
    statement: { text: OPEN, values: [token.projectId, token.hash, scopes, roles] },
    admit(row) {
      if (row === undefined) throw unknownToken();
      if (row.allowed !== true) throw insufficientScope(scopes);
    },
  };
}

/** What a caller without a living token hears. */
export const unknownToken = (): Refusal =>
  new Refusal("unauthenticated", "invalid_token", "The access token is unknown, expired or revoked.");

const insufficientScope = (scopes: readonly Scope[]): Refusal =>
  new Refusal("forbidden", "insufficient_scope", `This needs the scope ${scopes.join(" or ")}.`);
