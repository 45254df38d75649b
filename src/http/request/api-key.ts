import type { FastifyRequest } from "fastify";
import { readKey } from "../../domain/api-keys/api-key.ts";
import type { Credential } from "../../domain/tenancy/credential.ts";
import { unknownKey } from "../../domain/tenancy/key-door.ts";

/** Returns the key in `Authorization: Bearer lgk_…` (RFC 6750 2.1); 401 if it is missing or malformed. */
export function apiKey(request: FastifyRequest): Credential {
  const [, text = ""] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  const key = readKey(text);
  if (key === undefined) throw unknownKey();
  return { kind: "key", ...key };
}
