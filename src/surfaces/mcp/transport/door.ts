import type { FastifyRequest } from "fastify";
import { countedFor, refusedAnonymous } from "../../../domain/operation/limits/counted.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { refusalOf } from "../../../http/response/failure.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { bearerOf } from "../protocol/bearer.ts";
import type { Catalogue } from "../protocol/catalogue.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { offerOf } from "../protocol/tool-sets.ts";
import { challengeOf } from "./challenge.ts";
import { httpRefusal } from "./dialect.ts";
import { corsHeaders } from "./origin.ts";

/**
 * Accepts calls with a token from programs and known pages, counting one hit for a whole batch; every refusal
 * has the headers that the client needs for its next try.
 */
export function authenticated(
  catalogue: Catalogue,
  handle: (exchange: Exchange) => Promise<Reply>,
): Route["handle"] {
  return fromKnownOrigins(async (service, request) => {
    const caller = bearerOf(request);
    return await countedFor(service, "mcp", caller, (counted) =>
      handle({
        service: counted,
        request,
        caller,
        catalogue,
        modern: false,
        ...narrowedBy(request, catalogue),
      }),
    );
  });
}

/** The tools that the URL names in `tools`; refused (400) if a set does not exist, which is no secret. */
function narrowedBy({ query }: FastifyRequest, { registry }: Catalogue): Pick<Exchange, "narrowed"> {
  const { tools } = query as { tools?: unknown };
  return tools === undefined || registry.sets === undefined
    ? {}
    : { narrowed: offerOf(registry, String(tools)) };
}

/** Accepts calls from programs and known pages, with or without a token. */
export function fromKnownOrigins(handle: Route["handle"]): Route["handle"] {
  return async (service, request) => {
    let cors: Record<string, string> = {};
    try {
      cors = corsHeaders(service, request);
      return withHeaders(await handle(service, request), cors);
    } catch (error) {
      return withHeaders(refused(await refusedAnonymous(service, "mcp", error), service, request), cors);
    }
  };
}

/** Returns the headers with which a known page can read a refusal; none for other pages. */
export function refusalHeaders(service: Service, request: FastifyRequest): Record<string, string> {
  try {
    return { "Cache-Control": "no-store", ...corsHeaders(service, request) };
  } catch {
    return { "Cache-Control": "no-store", Vary: "Origin" };
  }
}

function refused(error: unknown, service: Service, request: FastifyRequest): Reply {
  const refusal = refusalOf(error);
  if (refusal.cause !== undefined) request.log.error({ err: refusal.cause }, "request failed");
  const challenge = challengeOf(refusal, service.config.authUrl);
  const reply = httpRefusal(refusal, request);
  return challenge === undefined ? reply : withHeaders(reply, { "WWW-Authenticate": challenge });
}

function withHeaders(reply: Reply, headers: Record<string, string>): Reply {
  return { ...reply, headers: { "Cache-Control": "no-store", ...headers, ...reply.headers } };
}
