import type { FastifyRequest } from "fastify";
import type { Hits } from "../../domain/operation/service/service.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What the request counted against which limits. */
    hits: Hits | null;
  }
}

/** Starts to record the hits of a request, for the headers of its response. */
export function keepHits(request: FastifyRequest): Hits {
  const hits: Hits = new Map();
  request.hits = hits;
  return hits;
}

/**
 * Returns `RateLimit` and `RateLimit-Policy` of a counted request (draft-ietf-httpapi-ratelimit-headers-10):
 * `q` hits in `w` seconds are the bucket's burst and its refill time; `r` remain, `t` seconds until one more.
 */
export function limitHeaders(request: FastifyRequest): Record<string, string> {
  const told = [...(request.hits ?? [])].findLast(([, last]) => last !== undefined);
  const [name, last] = told ?? [];
  if (last === undefined) return {};
  return {
    "RateLimit-Policy": `"${name}";q=${last.quota};w=${last.window}`,
    RateLimit: `"${name}";r=${last.remaining};t=${last.next}`,
  };
}
