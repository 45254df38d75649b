import type { FastifyRequest } from "fastify";
import type { Deprecated } from "../../contract/basics/endpoint.ts";

/** The configuration of a route whose endpoint is deprecated. */
export interface DeprecatedRoute {
  deprecated?: Record<string, string>;
}

/**
 * Returns the headers of a deprecated endpoint: Deprecation (RFC 9745), Sunset (RFC 8594), and a link to the reference,
 * which says what to call instead.
 */
export const deprecationOf = ({ since, sunset }: Deprecated): Record<string, string> => ({
  Deprecation: `@${new Date(since).getTime() / 1_000}`,
  Sunset: new Date(sunset).toUTCString(),
  Link: '</reference>; rel="deprecation"; type="text/html"',
});

/** Returns the headers of the request's route if its endpoint is deprecated. */
export const deprecationHeaders = (request: FastifyRequest): Record<string, string> =>
  (request.routeOptions.config as DeprecatedRoute).deprecated ?? {};
