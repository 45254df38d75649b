import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../core/refusal.ts";
import { readAccessToken } from "../../../domain/grants/token-text.ts";
import type { Credential } from "../../../domain/tenancy/credential.ts";
import { unknownToken } from "../../../domain/tenancy/token-door.ts";

export type TokenCaller = Extract<Credential, { kind: "token" }>;

/**
 * Returns the access token of a request as its caller (RFC 6750 2.1); the door checks whether it is valid.
 */
export function bearerOf(request: Pick<FastifyRequest, "headers">): TokenCaller {
  const [, text] = /^Bearer +(\S+)\s*$/i.exec(request.headers.authorization ?? "") ?? [];
  if (text === undefined) throw new Refusal("unauthenticated", "no_token", "Send an access token as Bearer.");
  const address = readAccessToken(text);
  if (address === undefined) throw unknownToken();
  return { kind: "token", ...address };
}
