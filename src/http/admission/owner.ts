import type { FastifyRequest } from "fastify";
import { hashOf } from "../../core/secret.ts";
import { forgetAccepted, ownerOfAccepted } from "../../domain/operation/accepted.ts";
import { originOf } from "../../domain/operation/limits/origin-address.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { sessionToken } from "../session/session.ts";

/** Longer than any credential of ours, so that hashing costs no more than that. */
const LONGEST = 300;

/**
 * Returns whose share of the process a request uses: the project of a key or token that was accepted before, the
 * person of such a session, or else the client's address.
 */
export function ownerOf(service: Service, request: FastifyRequest): string {
  const secret = secretOf(service, request);
  const known = secret === undefined ? undefined : ownerOfAccepted(hashOf(secret));
  return known ?? `address ${originOf(request.ip)}`;
}

/** The project that an owner is; undefined for a person or an address. */
export const projectOf = (owner: string): string | undefined => /^project (.+)$/.exec(owner)?.[1];

/** Forgets the credential of a request that was refused for it, which then counts for its address. */
export function forgetCredential(service: Service, request: FastifyRequest): void {
  const secret = secretOf(service, request);
  if (secret !== undefined) forgetAccepted(hashOf(secret));
}

function secretOf(service: Service, request: FastifyRequest): string | undefined {
  const { authorization, cookie } = request.headers;
  if (authorization === undefined) return cookie === undefined ? undefined : sessionToken(service, request);
  if (authorization.length > LONGEST) return undefined;
  return /^Bearer +(\S+)\s*$/i.exec(authorization)?.[1];
}
