import type { Scope } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";

/** The reasons that only the holder of a genuine code or token of its own hears, to the letter. */
export type GrantReason =
  | "code already used"
  | "code expired"
  | "PKCE verification failed"
  | "redirect_uri mismatch"
  | "replay detected";

/** `invalid_grant` (RFC 6749 5.2), without detail unless the caller has earned one. */
export const invalidGrant = (reason?: GrantReason): Refusal =>
  new Refusal("malformed", "invalid_grant", reason ?? "The grant is not valid.");

/** What an exchange or a refresh hands out; `expiresIn` in seconds. */
export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  scopes: readonly Scope[];
}
