import { Refusal } from "../../core/refusal.ts";
import { fingerprintOf } from "../../core/secret.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";
import { claimedRefreshToken } from "./token-text.ts";

// Only a living authorization of this client, and only what it may have issued: its current token by the hash, or an earlier
// generation. Everything else is a forgery whoever signed.
const NAMED = `SELECT signed_by AS key FROM "authorization"
  WHERE project_id = $1 AND id = $2 AND ($5::text IS NULL OR client_id = $5)
    AND (generation > $3 OR generation = $3 AND refresh_hash = $4)
    AND revoked_at IS NULL AND refresh_expires_at > moment() AND signed_by <> ALL ($6)`;

/**
 * Refuses (503) a refresh token that none of our keys verifies, if its authorization names a key that this instance
 * does not have: another instance can judge it. Returns if the token is forged, or no refresh token.
 */
export async function refuseUnknownKey(
  service: Service,
  token: string,
  clientId: string | undefined,
): Promise<void> {
  const claimed = claimedRefreshToken(token);
  if (claimed === undefined) return;
  const { projectId, authorizationId, generation, hash } = claimed;
  const ours = service.config.secretKeys.map(fingerprintOf);
  const [named] = await service.db
    .behind(serviceDoor(projectId))
    .query<{ key: string }>(NAMED, [projectId, authorizationId, generation, hash, clientId ?? null, ours], {
      prepare: true,
      short: "read",
    });
  if (named === undefined) return;
  throw new Refusal("unavailable", "key_unknown", "This token cannot be checked right now. Try again.", {
    retryAfter: 5,
    cause: new Error(
      `The authorization ${authorizationId} names the key ${named.key}, which is not in SECRET_KEY of this instance.`,
    ),
  });
}
