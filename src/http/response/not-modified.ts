import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { varyByEncoding } from "./compress.ts";

/**
 * Adds an entity tag of the body, by which a client may ask again, and returns whether it has this body already; then
 * nothing but a 304 is to be sent. The tag is weak, as the body may be sent compressed (RFC 9110, 8.8.1).
 */
export function isNotModified(reply: FastifyReply, request: FastifyRequest, body: string | Buffer): boolean {
  const tag = hash("sha1", body, "base64url");
  reply.headers({ ETag: `W/"${tag}"`, "Cache-Control": "private, no-cache" });
  if (!matches(request.headers["if-none-match"], tag)) return false;
  varyByEncoding(reply);
  reply.code(304);
  return true;
}

/** Whether If-None-Match has the tag, compared weakly, or is `*` (RFC 9110, 13.1.2). */
const matches = (given: string | undefined, tag: string): boolean =>
  given !== undefined && (given.trim() === "*" || given.includes(`"${tag}"`));
