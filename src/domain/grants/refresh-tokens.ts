import type { Scope } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import { knownClient } from "../clients/find-client.ts";
import { applicationOperation } from "../operation/callers.ts";
import { tell } from "../operation/mail/notices.ts";
import type { Service } from "../operation/service/service.ts";
import { endReplayed } from "./end-replayed.ts";
import type { IssuedTokens } from "./issued-tokens.ts";
import { invalidGrant } from "./issued-tokens.ts";
import { rotate } from "./rotate.ts";
import { newAccessToken, newRefreshToken, type RefreshAddress, readRefreshToken } from "./token-text.ts";
import { refuseUnknownKey } from "./unknown-key.ts";

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
    const { projectId, authorizationId, generation } = shown;
    const access = newAccessToken(projectId);
    const next = newRefreshToken(secretKeys, { projectId, authorizationId, generation: generation + 1 });
    const scopes = await rotate(service, { shown, clientId, scopes: input.scopes, next, access });
    if (scopes !== undefined) {
      const expiresIn = lifetimes.access;
      return { accessToken: access.text, refreshToken: next.text, expiresIn, scopes };
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
