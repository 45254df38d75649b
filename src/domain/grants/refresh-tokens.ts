import type { Scope } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { knownClient } from "../clients/find-client.ts";
import { REPEATED } from "../operation/audit/record.ts";
import { applicationOperation } from "../operation/callers.ts";
import { originOf } from "../operation/limits/origin-address.ts";
import { tell } from "../operation/mail/notices.ts";
import type { Service } from "../operation/service/service.ts";
import { endReplayed } from "./end-replayed.ts";
import type { IssuedTokens } from "./issued-tokens.ts";
import { invalidGrant } from "./issued-tokens.ts";
import { newAccessToken, newRefreshToken, type RefreshAddress, readRefreshToken } from "./token-text.ts";
import { refuseUnknownKey } from "./unknown-key.ts";

// Of all concurrent requests with one refresh token, one gets the row. OFFSET 0 forces the lookup by key, even if
// statistics of new tables are missing. The last 20 addresses are remembered; if more than five are new within a day,
// as with a hosted assistant, the others of that day share one audit entry. On a cluster, moment() may be in no CASE and in no
// RETURNING, and a slice that is the whole value of a column crashes Citus 13.2.
export const ROTATE = `
  WITH rotated AS (
    UPDATE "authorization" a SET generation = generation + 1, refresh_hash = $6, refresh_issued_at = moment(),
      refresh_expires_at = moment() + make_interval(secs => $7), last_used_at = moment(),
      origins = CASE WHEN $11 = ANY(origins) THEN origins ELSE (origins || $11::text)[cardinality(origins) - 18:] END,
      origins_at = trim_array((origins_at || moment())[CASE WHEN $11 = ANY(origins) THEN 1 ELSE cardinality(origins) - 18 END:],
        CASE WHEN $11 = ANY(origins) THEN 1 ELSE 0 END),
      signed_by = $14
    WHERE project_id = $1 AND id = $2 AND generation = $3 AND refresh_hash = $4 AND client_id = $5
      AND refresh_expires_at > moment() AND revoked_at IS NULL AND coalesce($8::text[], scopes) <@ scopes
      AND EXISTS (SELECT FROM membership m
        WHERE m.person_id = a.person_id AND m.project_id = $1 AND m.created_at <= a.created_at OFFSET 0)
      AND EXISTS (SELECT FROM client WHERE id = $5)
    RETURNING id, person_id, client_name, coalesce($8::text[], scopes) AS scopes,
      cardinality(origins) > 1 AND origins_at[cardinality(origins)] = refresh_issued_at AS elsewhere,
      refresh_issued_at - origins_at[cardinality(origins) - 5] < interval '1 day' AS often
  ), issued AS (
    INSERT INTO access_token (project_id, hash, authorization_id, scopes, expires_at)
    SELECT $1, $9::bytea, id, scopes, moment() + make_interval(secs => $10) FROM rotated
  ), told AS (
    INSERT INTO audit (action, project_id, person_id, actor, data, address, request_id, counted_as)
    SELECT 'refresh.new_address', $1, person_id, $5,
      jsonb_build_object('authorization_id', id, 'client_name', client_name), $12, $13,
      CASE WHEN often THEN 'refresh.new_address ' || id || ' ' || today END
    FROM rotated, (SELECT moment()::date::text AS today) AS clock WHERE elsewhere ${REPEATED}
  )
  SELECT scopes FROM rotated`;

/**
 * Rotates a refresh token (OAuth 2.1 4.3): returns a new access token and a new refresh token, and supersedes the
 * old one. `scopes` narrows only the access token. An unknown client is `invalid_client`; a superseded token is a
 * replay and revokes its authorization.
 */
export const refreshTokens = applicationOperation({
  name: "grants.refresh",
  async run(
    { service, caller: { clientId = "" } },
    input: { refreshToken: string; scopes: readonly Scope[] | undefined },
  ): Promise<IssuedTokens> {
    const { lifetimes, secretKeys } = service.config;
    const shown = readRefreshToken(secretKeys, input.refreshToken);
    if (shown === undefined) {
      await knownClient(service, clientId);
      await refuseUnknownKey(service, input.refreshToken, clientId);
      throw invalidGrant();
    }
    const { projectId, authorizationId, generation, hash } = shown;
    const db = service.db.behind(serviceDoor(projectId));
    const access = newAccessToken(projectId);
    const next = newRefreshToken(secretKeys, { projectId, authorizationId, generation: generation + 1 });
    const { address, requestId } = service.origin ?? {};
    const rows = await db.query<{ scopes: Scope[] }>(
      ROTATE,
      [
        ...[projectId, authorizationId, generation, hash, clientId, next.hash, lifetimes.refresh],
        ...[input.scopes ?? null, access.hash, lifetimes.access],
        ...[originOf(address ?? ""), address ?? null, requestId ?? null, next.signedBy],
      ],
      { prepare: true, short: "write" },
    );
    const rotated = rows[0];
    if (rotated !== undefined) {
      const expiresIn = lifetimes.access;
      return { accessToken: access.text, refreshToken: next.text, expiresIn, scopes: rotated.scopes };
    }
    await knownClient(service, clientId);
    const verdict = await judge(service, shown, clientId);
    if (verdict === "dead") throw invalidGrant();
    if (input.scopes?.every((scope) => verdict.scopes.includes(scope)) !== false) throw invalidGrant();
    throw new Refusal("malformed", "invalid_scope", "A refresh can narrow the scope, but not widen it.");
  },
});

/** Revokes the authorization of a superseded token (`replay detected`), even if the request has other faults. */
export const checkReplay = applicationOperation({
  name: "grants.check_replay",
  async run({ service, caller: { clientId = "" } }, { refreshToken }: { refreshToken: string }) {
    const shown = readRefreshToken(service.config.secretKeys, refreshToken);
    if (shown === undefined) await refuseUnknownKey(service, refreshToken, clientId);
    else await judge(service, shown, clientId);
  },
});

/** Returns why a token was not rotated; a replay is refused and the person notified. */
async function judge(
  service: Service,
  shown: RefreshAddress,
  clientId: string,
): Promise<"dead" | { scopes: Scope[] }> {
  const verdict = await endReplayed(service, shown, clientId);
  if (verdict === "dead" || "scopes" in verdict) return verdict;
  if (verdict.ended) {
    const { personId, clientName } = verdict.replayed;
    tell(service, personId, { kind: "token_replayed", clientName });
  }
  throw invalidGrant("replay detected");
}
