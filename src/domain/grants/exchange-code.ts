import { newId } from "../../core/id.ts";
import type { Scope } from "../../core/permission.ts";
import type { Transaction } from "../../db/database.ts";
import { serviceDoor } from "../../db/project-door.ts";
import { record } from "../audit/record.ts";
import type { Client } from "../clients/client.ts";
import type { Service } from "../service.ts";
import { type GrantReason, invalidGrant } from "./invalid-grant.ts";
import type { IssuedTokens } from "./issued-tokens.ts";
import { challengeOf } from "./pkce.ts";
import { newRefreshToken } from "./refresh-text.ts";
import { newAccessToken, readCode, type TokenAddress } from "./token-text.ts";

// The one statement that uses a code up: of all who race for it, one gets the row and its tokens.
const EXCHANGE = `
  WITH code AS (
    UPDATE authorization_code c SET consumed_at = moment()
    WHERE project_id = $1 AND hash = $2 AND client_id = $3 AND redirect_uri = $4 AND challenge = $5
      AND consumed_at IS NULL AND expires_at > moment()
      AND EXISTS (SELECT FROM membership m WHERE m.person_id = c.person_id AND m.project_id = $1 FOR KEY SHARE)
    RETURNING person_id, scopes
  ), granted AS (
    INSERT INTO "authorization"
      (project_id, id, client_id, client_name, person_id, scopes, refresh_hash, refresh_expires_at)
    SELECT $1, $6, $3, $7, person_id, scopes, $8::bytea, moment() + make_interval(secs => $9) FROM code
    RETURNING id, person_id, scopes
  ), issued AS (
    INSERT INTO access_token (project_id, hash, authorization_id, scopes, expires_at)
    SELECT $1, $10::bytea, id, scopes, moment() + make_interval(secs => $11) FROM granted
  )
  SELECT person_id AS "personId", scopes FROM granted`;

const JUDGE = `SELECT person_id AS "personId", consumed_at IS NOT NULL AS consumed, expires_at <= moment() AS expired,
    redirect_uri = $4 AS "sameRedirect", challenge = $5 AS "sameChallenge"
  FROM authorization_code WHERE project_id = $1 AND hash = $2 AND client_id = $3`;

interface Judged {
  personId: string;
  consumed: boolean;
  expired: boolean;
  sameRedirect: boolean;
  sameChallenge: boolean;
}

/**
 * Exchanges a code for tokens (OAuth 2.1 4.1.3), once. `invalid_grant` carries its reason only for a code
 * of this client; a refusal leaves the code as it was, and a reuse leaves the tokens alone.
 */
export async function exchangeCode(
  service: Service,
  input: { client: Client; code: string; redirectUri: string; verifier: string },
): Promise<IssuedTokens> {
  const code = readCode(input.code);
  if (code === undefined) throw invalidGrant();
  const { lifetimes, secretKeys } = service.config;
  const authorizationId = newId("az");
  const access = newAccessToken(code.projectId);
  const refresh = newRefreshToken(secretKeys, { projectId: code.projectId, authorizationId, generation: 1 });
  const shown = [code.projectId, code.hash, input.client.id, input.redirectUri, challengeOf(input.verifier)];
  const outcome = await service.db.behind(serviceDoor(code.projectId)).transaction(async (tx) => {
    const rows = await tx.query<{ personId: string; scopes: Scope[] }>(EXCHANGE, [
      ...shown,
      ...[authorizationId, input.client.metadata.client_name],
      ...[refresh.hash, lifetimes.refresh, access.hash, lifetimes.access],
    ]);
    const granted = rows[0];
    if (granted === undefined)
      return { refusal: invalidGrant(await reasonOf(tx, shown, code, input.client)) };
    await record(tx, {
      action: "code.exchanged",
      projectId: code.projectId,
      personId: granted.personId,
      actor: input.client.id,
      data: { authorization_id: authorizationId, scopes: granted.scopes },
    });
    return granted;
  });
  if ("refusal" in outcome) throw outcome.refusal;
  const expiresIn = lifetimes.access;
  return { accessToken: access.text, refreshToken: refresh.text, expiresIn, scopes: outcome.scopes };
}

async function reasonOf(
  tx: Transaction,
  shown: readonly unknown[],
  code: TokenAddress,
  client: Client,
): Promise<GrantReason | undefined> {
  const row = (await tx.query<Judged>(JUDGE, shown))[0];
  if (row === undefined) return undefined;
  if (row.consumed) {
    const { projectId } = code;
    await record(tx, { action: "code.reused", projectId, personId: row.personId, actor: client.id });
    return "code already used";
  }
  if (row.expired) return "code expired";
  if (!row.sameRedirect) return "redirect_uri mismatch";
  if (!row.sameChallenge) return "PKCE verification failed";
  return undefined;
}
