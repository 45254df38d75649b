import { SCOPES, type Scope } from "../../../core/permission.ts";

/** Returns the known scopes in a space-separated list (RFC 6749 3.3); assistants add others, which are dropped. */
export function askedScopes(text: string): Scope[] {
  const asked = new Set(text.split(" "));
  return SCOPES.filter((scope) => asked.has(scope));
}
