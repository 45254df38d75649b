import { SCOPES } from "../../../core/permission.ts";
import type { Refusal } from "../../../core/refusal.ts";

/**
 * Returns the `WWW-Authenticate` of a refusal (RFC 6750 3, RFC 9728 5.1); undefined if another token would
 * not help. It names every scope: clients request exactly those, and the person can untick some.
 */
export function challengeOf(refusal: Refusal, authUrl: string): string | undefined {
  const parts = [`resource_metadata="${authUrl}/.well-known/oauth-protected-resource/mcp"`];
  if (refusal.code === "insufficient_scope") parts.unshift(`error="insufficient_scope"`);
  else if (refusal.kind !== "unauthenticated") return undefined;
  else if (refusal.code !== "no_token") parts.unshift(`error="invalid_token"`);
  return `Bearer ${[...parts, `scope="${SCOPES.join(" ")}"`].join(", ")}`;
}
