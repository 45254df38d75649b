import { newId } from "../../core/id.ts";
import type { Scope } from "../../core/permission.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { knownClient } from "../clients/find-client.ts";
import { recordRepeated } from "../operation/audit/record-repeated.ts";
import { applicationOperation } from "../operation/callers.ts";
import { originOf } from "../operation/limits/origin-address.ts";
import type { Service } from "../operation/service/service.ts";
import type { IssuedTokens } from "./issued-tokens.ts";
import { type GrantReason, invalidGrant } from "./issued-tokens.ts";
import { challengeOf } from "./pkce.ts";
import { newAccessToken, newRefreshToken, readCode, type TokenAddress } from "./token-text.ts";

// Uses up a code: of all concurrent requests, one gets the row and its tokens. It does not lock the membership: a
// grant counts only with the membership it was made in, so one that slips past a removal stays invalid. OFFSET 0:
// see refresh-tokens.
const EXCHANGE = `
  WITH code AS (
    UPDATE authorization_code c SET consumed_at = moment(), authorization_id = $6
    WHERE project_id = $1 AND hash = $2 AND client_id = $3 AND redirect_uri = $4 AND challenge = $5
      AND consumed_at IS NULL AND expires_at > moment()
      AND EXISTS (SELECT FROM membership m
        WHERE m.person_id = c.person_id AND m.project_id = $1 AND m.created_at <= c.issued_at
          AND EXISTS (SELECT FROM project WHERE project_id = $1 AND m.role = ANY (connect_roles)) OFFSET 0)
      AND EXISTS (SELECT FROM client WHERE id = $3)
    RETURNING person_id, scopes, writes
  ), granted AS (
    INSERT INTO "authorization"
      (project_id, id, client_id, client_name, person_id, scopes, refresh_hash, refresh_expires_at, origins, origins_at,
        signed_by, writes)
    SELECT $1, $6, $3, client.metadata ->> 'client_name', person_id, scopes, $7::bytea,
      moment() + make_interval(secs => $8), ARRAY[$13], ARRAY[moment()], $14, writes
    FROM code JOIN client ON client.id = $3
    RETURNING id, person_id, scopes
  ), issued AS (
    INSERT INTO access_token (project_id, hash, authorization_id, scopes, expires_at)
    SELECT $1, $9::bytea, id, scopes, moment() + make_interval(secs => $10) FROM granted
  ), told AS (
    INSERT INTO audit (action, project_id, person_id, actor, data, address, request_id)
    SELECT 'code.exchanged', $1, person_id, $3,
      jsonb_build_object('authorization_id', id, 'scopes', scopes), $11, $12
    FROM granted
  )
  SELECT scopes FROM granted`;

const JUDGE = `SELECT person_id AS "personId", consumed_at IS NOT NULL AS consumed, expires_at <= moment() AS expired,
    redirect_uri = $4 AS "sameRedirect", challenge = $5 AS "sameChallenge", authorization_id AS "authorizationId"
  FROM authorization_code WHERE project_id = $1 AND hash = $2 AND client_id = $3`;

interface Judged {
  personId: string;
  consumed: boolean;
  expired: boolean;
  sameRedirect: boolean;
  sameChallenge: boolean;
  /** What it was exchanged for; null for a code from before this was remembered. */
  authorizationId: string | null;
}

/**
 * Exchanges a code for tokens (OAuth 2.1 4.1.3), once. An unknown client is `invalid_client`; `invalid_grant`
 * carries its reason only for a code of this client. A refusal does not use up the code, and a second use does not
 * revoke the tokens.
 */
export const exchangeCode = applicationOperation({
  name: "grants.exchange_code",
  async run(
    { service, caller: { clientId = "" } },
    input: { code: string; redirectUri: string; verifier: string },
  ): Promise<IssuedTokens> {
    const { redirectUri, verifier } = input;
    const code = readCode(input.code);
    if (code === undefined) {
      await knownClient(service, clientId);
      throw invalidGrant();
    }
    const { projectId } = code;
    const { lifetimes, secretKeys } = service.config;
    const authorizationId = newId("az");
    const access = newAccessToken(projectId);
    const refresh = newRefreshToken(secretKeys, { projectId, authorizationId, generation: 1 });
    const shown = [projectId, code.hash, clientId, redirectUri, challengeOf(verifier)];
    const db = service.db.behind(serviceDoor(projectId));
    const rows = await db.query<{ scopes: Scope[] }>(
      EXCHANGE,
      [
        ...[...shown, authorizationId, refresh.hash, lifetimes.refresh, access.hash, lifetimes.access],
        ...[service.origin?.address ?? null, service.origin?.requestId ?? null],
        ...[originOf(service.origin?.address ?? ""), refresh.signedBy],
      ],
      { prepare: true, short: "write" },
    );
    const granted = rows[0];
    if (granted === undefined) {
      await knownClient(service, clientId);
      throw invalidGrant(await reasonOf(service, db, shown, { ...code, clientId }));
    }
    const { scopes } = granted;
    return { accessToken: access.text, refreshToken: refresh.text, expiresIn: lifetimes.access, scopes };
  },
});

async function reasonOf(
  service: Service,
  db: ProjectDb,
  shown: readonly unknown[],
  { projectId, hash, clientId }: TokenAddress & { clientId: string },
): Promise<GrantReason | undefined> {
  const row = (await db.query<Judged>(JUDGE, shown))[0];
  if (row === undefined) return undefined;
  if (row.consumed) {
    const { personId, authorizationId } = row;
    await recordRepeated(service, {
      ...{ action: "code.reused", projectId, personId, actor: clientId },
      data: authorizationId === null ? {} : { authorization_id: authorizationId },
      once: `code.reused ${hash.toString("hex")}`,
    });
    return "code already used";
  }
  if (row.expired) return "code expired";
  if (!row.sameRedirect) return "redirect_uri mismatch";
  if (!row.sameChallenge) return "PKCE verification failed";
  return undefined;
}
