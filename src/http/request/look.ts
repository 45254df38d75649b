import type { FastifyRequest } from "fastify";
import { isLook, LOOK_COOKIE, type Look } from "../../core/look.ts";

/** Returns the colour scheme that was chosen in the panel in this browser; the system's by default. */
export function lookOf(request: FastifyRequest): Look {
  const [, chosen] = new RegExp(`(?:^|;\\s*)${LOOK_COOKIE}=(\\w+)`).exec(request.headers.cookie ?? "") ?? [];
  return isLook(chosen) ? chosen : "auto";
}
