import type { Scope } from "../../core/permission.ts";

/** What an exchange or a refresh hands out; `expiresIn` in seconds. */
export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  scopes: readonly Scope[];
}
