import type { Role, Scope } from "../../core/permission.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { applicationOperation } from "../operation/callers.ts";
import { grantable } from "./issue-code.ts";
import { readAccessToken, readRefreshToken } from "./token-text.ts";
import { refuseUnknownKey } from "./unknown-key.ts";

/**
 * A valid token, with those of its scopes that its person's role still allows; `expiresAt` and `issuedAt` in whole
 * seconds since 1970.
 */
export interface LivingToken {
  kind: "access" | "refresh";
  projectId: string;
  clientId: string;
  personId: string;
  scopes: Scope[];
  expiresAt: number;
  issuedAt: number;
}

const seconds = (column: string) => `floor(extract(epoch FROM ${column}))::float8`;

const OF = `a.client_id AS "clientId", a.person_id AS "personId", m.role`;

// OFFSET 0 fixes the join order, from the token to its authorization, even if statistics of new tables are missing.
const ACCESS = `SELECT ${OF}, t.scopes,
    ${seconds("t.expires_at")} AS "expiresAt", ${seconds("t.issued_at")} AS "issuedAt"
  FROM access_token t
  CROSS JOIN LATERAL (SELECT * FROM "authorization" a
    WHERE a.project_id = $1 AND a.id = t.authorization_id OFFSET 0) a
  JOIN membership m ON m.project_id = a.project_id AND m.person_id = a.person_id AND m.created_at <= a.created_at
  WHERE t.project_id = $1 AND t.hash = $2 AND ($3::text IS NULL OR a.client_id = $3)
    AND t.revoked_at IS NULL AND a.revoked_at IS NULL AND t.expires_at > moment()`;

const REFRESH = `SELECT ${OF}, a.scopes,
    ${seconds("a.refresh_expires_at")} AS "expiresAt", ${seconds("a.refresh_issued_at")} AS "issuedAt"
  FROM "authorization" a
  CROSS JOIN LATERAL (SELECT m.role FROM membership m
    WHERE m.project_id = $1 AND m.person_id = a.person_id AND m.created_at <= a.created_at OFFSET 0) m
  WHERE a.project_id = $1 AND a.id = $4 AND a.generation = $5 AND a.refresh_hash = $2
    AND ($3::text IS NULL OR a.client_id = $3) AND a.revoked_at IS NULL AND a.refresh_expires_at > moment()`;

/**
 * What a token is and allows (RFC 7662 2.2), while it is valid and its person may still do some of it. A superseded
 * refresh token is not valid, and asking is not a replay. A token that a key unknown here signed is refused (503):
 * called inactive, it would be thrown away.
 */
export const introspectToken = applicationOperation({
  name: "grants.introspect",
  async run({ service, db, caller }, input: { token: string }): Promise<LivingToken | undefined> {
    const refresh = readRefreshToken(service.config.secretKeys, input.token);
    const token = refresh ?? readAccessToken(input.token);
    if (token === undefined) {
      await refuseUnknownKey(service, input.token, caller.clientId);
      return undefined;
    }
    const { projectId, hash } = token;
    const rows = await db
      .behind(serviceDoor(projectId))
      .query<Omit<LivingToken, "kind" | "projectId"> & { role: Role }>(
        refresh === undefined ? ACCESS : REFRESH,
        [
          ...[projectId, hash, caller.clientId ?? null],
          ...(refresh === undefined ? [] : [refresh.authorizationId, refresh.generation]),
        ],
        { prepare: true, short: "read" },
      );
    if (rows[0] === undefined) return undefined;
    const { role, ...found } = rows[0];
    const scopes = grantable(found.scopes, role);
    const kind = refresh === undefined ? "access" : "refresh";
    return scopes.length === 0 ? undefined : { kind, projectId, ...found, scopes };
  },
});
