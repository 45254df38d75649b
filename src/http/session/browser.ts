import type { FastifyRequest } from "fastify";
import type { Anonymous } from "../../domain/operation/callers.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { preSession } from "./form-token.ts";
import { deviceMark, sessionToken } from "./session.ts";

/** Returns the anonymous caller of a browser, for requests in which sign-in does not matter. */
export const browserOf = (service: Service, request: FastifyRequest): Anonymous => ({
  visit: preSession(service, request).value,
  device: deviceMark(service, request),
  former: sessionToken(service, request),
});
