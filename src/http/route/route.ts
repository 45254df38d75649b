import type { FastifyRequest } from "fastify";
import type { Endpoint } from "../../contract/basics/endpoint.ts";
import type { LimitName } from "../../core/limit.ts";
import { malformed, Refusal } from "../../core/refusal.ts";
import { countedFor } from "../../domain/operation/limits/counted.ts";
import { type MemberOperation, operationDoor, perform, refuse } from "../../domain/operation/operation.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import type { Credential } from "../../domain/tenancy/credential.ts";
import { ok, type Reply } from "../response/reply.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** A URL and its handler. */
export interface Route {
  method: Method;
  url: string;
  bodyLimit?: number;
  /** The limit by client address, for calls that no operation counts against a caller's. */
  limit?: LimitName;
  /** The handler receives the body as a stream, without a time limit. */
  stream?: true;
  /** Whether it may take longer to answer than a connection may usually be silent. */
  long?: true;
  /** Whether an overloaded process answers it too: a file without which a page is broken, as browsers try once. */
  always?: true;
  /** The endpoint that the route serves; without it, the route is not in /openapi.json. */
  endpoint?: Endpoint;
  handle(service: Service, request: FastifyRequest): Promise<Reply>;
  /**
   * Counts and refuses a call that is refused before it reaches the handler, if `limit` does not count it.
   */
  unhandled?(service: Service, request: FastifyRequest, refusal: Refusal): Promise<never>;
  /** The same operation for another kind of caller, at another URL; for routes that perform an operation. */
  calledBy?(caller: CallerOf, url: string): Route;
}

/** Returns the caller by the request's credential; the door checks whether it is valid. */
type CallerOf = (request: FastifyRequest, service: Service) => Credential | Promise<Credential>;

/** Returns the URL of an endpoint as the router writes it: `/api/v1/leads/:id`. */
export const routerUrl = (url: string): string => url.replace(/\{(\w+)\}/g, ":$1");

/** For work that may take long before it sends a byte; the limit of other connections holds again for the next request. */
const LONG_MS = 3_600_000;

/** What a route does besides its address: caller → input → perform → reply. */
interface Work<Input, Output> {
  bodyLimit?: number;
  stream?: true;
  /** Whether it may take longer to answer than a connection may usually be silent. */
  long?: true;
  caller: CallerOf;
  /** Returns the operation's input from body, path and query; also checks the `project_id` of REST calls. */
  input(request: FastifyRequest, caller: Credential, endpoint: Endpoint): unknown;
  operation: MemberOperation<Input, Output>;
  reply?(output: Output): Reply;
}

/** Returns the route of an endpoint, which performs one operation. */
export function operationRoute<Input, Output>(
  definition: Work<Input, Output> & { endpoint: Endpoint },
): Route {
  const { endpoint, ...work } = definition;
  return { ...routeAt(endpoint, routerUrl(endpoint.url), work), endpoint };
}

/**
 * Refuses a condition that the endpoint does not check, because a caller who sends one relies on it. Endpoints
 * without a version ignore conditions, as they always have.
 */
function refuseConditions(endpoint: Endpoint, { headers }: FastifyRequest): void {
  if (endpoint.refusals !== "v1" || endpoint.method === "GET") return;
  const refused = [
    ...(endpoint.ifMatch === true || headers["if-match"] === undefined ? [] : ["If-Match"]),
    ...(endpoint.ifNoneMatch === true || headers["if-none-match"] === undefined ? [] : ["If-None-Match"]),
  ];
  if (refused.length === 0) return;
  const message = "is not supported by this call; nothing was done. Send the call without it";
  throw malformed(refused.map((path) => ({ path, code: "unsupported_condition", message })));
}

function routeAt<Input, Output>(endpoint: Endpoint, url: string, work: Work<Input, Output>): Route {
  const { method } = endpoint;
  const { caller: callerOf, input, operation, reply, bodyLimit, stream, long } = work;
  /** Reports an unreadable body or a foreign project only to a caller that passes the door. */
  const inputOf = async (service: Service, request: FastifyRequest, caller: Credential): Promise<unknown> => {
    try {
      refuseConditions(endpoint, request);
      return input(request, caller, endpoint);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return await refuse(service.db.behind(operationDoor(operation, caller)), error);
    }
  };
  return {
    method,
    url,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(stream === undefined ? {} : { stream }),
    ...(long === undefined ? {} : { long }),
    async handle(service, request) {
      if (long === true) request.raw.socket.setTimeout(LONG_MS);
      const caller = await callerOf(request, service);
      const output = await countedFor(service, operation.limit, caller, async (counted) =>
        perform(counted, operation, caller, await inputOf(counted, request, caller)),
      );
      return reply === undefined ? ok(output as object) : reply(output);
    },
    calledBy: (caller, url) => routeAt(endpoint, url, { ...work, caller }),
  };
}

/**
 * Returns one route for two operations: the second if the request's query has the parameter, and the value if one is
 * given, for every kind of caller.
 */
export const routeByQuery = (
  first: Route,
  [name, value]: readonly [name: string, value?: string | undefined],
  second: Route,
): Route => ({
  ...first,
  handle: (service, request) =>
    (hasParameter(request.raw.url ?? "", name, value) ? second : first).handle(service, request),
  calledBy: (caller, url) =>
    routeByQuery(
      first.calledBy?.(caller, url) ?? first,
      [name, value],
      second.calledBy?.(caller, url) ?? second,
    ),
});

const hasParameter = (url: string, name: string, value: string | undefined): boolean =>
  new URLSearchParams(url.split("?").slice(1).join("?")).has(name, value);
