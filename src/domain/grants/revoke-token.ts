import { serviceDoor } from "../../db/pool/project-door.ts";
import { record } from "../operation/audit/record.ts";
import { applicationOperation } from "../operation/callers.ts";
import type { Service } from "../operation/service/service.ts";
import { type RefreshAddress, readAccessToken, readRefreshToken, type TokenAddress } from "./token-text.ts";
import { refuseUnknownKey } from "./unknown-key.ts";

interface Ended {
  personId: string;
  clientId: string;
  authorizationId: string;
}

const RETURNED = `a.person_id AS "personId", a.client_id AS "clientId", a.id AS "authorizationId"`;

const END_AUTHORIZATION = `UPDATE "authorization" a SET revoked_at = moment(), revoked_why = 'application'
  WHERE project_id = $1 AND id = $2 AND revoked_at IS NULL AND ($3::text IS NULL OR client_id = $3)
  RETURNING ${RETURNED}`;

const END_ACCESS = `UPDATE access_token t SET revoked_at = moment() FROM "authorization" a
  WHERE t.project_id = $1 AND t.hash = $2 AND t.revoked_at IS NULL AND ($3::text IS NULL OR a.client_id = $3)
    AND a.project_id = $1 AND a.id = t.authorization_id
  RETURNING ${RETURNED}`;

/**
 * Revokes a token for its application (RFC 7009 2): a refresh token, superseded or not, revokes the whole
 * authorization, an access token only itself. A token that is unknown or belongs to another client changes nothing; one
 * that a key unknown here signed is refused (503).
 */
export const revokeToken = applicationOperation({
  name: "grants.revoke_token",
  async run({ service, caller }, input: { token: string }) {
    const refresh = readRefreshToken(service.config.secretKeys, input.token);
    const access = readAccessToken(input.token);
    if (refresh !== undefined) {
      const values = [refresh.projectId, refresh.authorizationId, caller.clientId ?? null];
      await end(service, refresh, END_AUTHORIZATION, values, "authorization.revoked");
    } else if (access !== undefined) {
      const values = [access.projectId, access.hash, caller.clientId ?? null];
      await end(service, access, END_ACCESS, values, "token.revoked");
    } else {
      await refuseUnknownKey(service, input.token, caller.clientId);
    }
  },
});

async function end(
  service: Service,
  { projectId }: RefreshAddress | TokenAddress,
  statement: string,
  values: readonly unknown[],
  action: string,
): Promise<void> {
  await service.db.behind(serviceDoor(projectId)).transaction(async (tx) => {
    const ended = (await tx.query<Ended>(statement, values))[0];
    if (ended === undefined) return;
    const { personId, clientId, authorizationId } = ended;
    const data = { authorization_id: authorizationId };
    await record(service, tx, { action, projectId, personId, actor: clientId, data });
  });
}
