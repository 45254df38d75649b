import type { Scope } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";

/** The reasons, verbatim, that are reported only to the holder of a genuine code or token of this client. */
export type GrantReason =
  | "code already used"
  | "code expired"
  | "PKCE verification failed"
  | "redirect_uri mismatch"
  | "replay detected";

/** The refusal `invalid_grant` (RFC 6749 5.2), with a reason only for callers who may learn it. */
export const invalidGrant = (reason?: GrantReason): Refusal =>
  new Refusal("malformed", "invalid_grant", reason ?? "The grant is not valid.");

/** The result of an exchange or a refresh; `expiresIn` in seconds. */
export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  scopes: readonly Scope[];
}
