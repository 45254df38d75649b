import type { FastifyRequest } from "fastify";
import { isLook, LOOK_COOKIE, type Look } from "../../core/look.ts";

/** The look that this browser chose in the panel; the system's where it chose none. */
export function lookOf(request: FastifyRequest): Look {
  const [, chosen] = new RegExp(`(?:^|;\\s*)${LOOK_COOKIE}=(\\w+)`).exec(request.headers.cookie ?? "") ?? [];
  return isLook(chosen) ? chosen : "auto";
}
