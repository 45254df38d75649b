import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import type { LimitName } from "../../core/limit.ts";
import { Refusal } from "../../core/refusal.ts";
import { countedFor } from "../../domain/operation/limits/counted.ts";
import { type MemberOperation, operationDoor, perform, refuse } from "../../domain/operation/operation.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import type { Credential } from "../../domain/tenancy/credential.ts";
import { ok, type Reply } from "../response/reply.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** What OpenAPI tells of a route. */
export interface Described {
  summary: string;
  description?: string;
  tags: string[];
  /** Whether a Bearer credential is asked for. */
  bearer?: true;
  body?: TSchema;
  params?: TSchema;
  query?: TSchema;
  answers?: Record<number, TSchema>;
}

/** An address and what happens there. `describe` puts it into OpenAPI; without it the route is not listed. */
export interface Route {
  method: Method;
  url: string;
  bodyLimit?: number;
  /** The limit that calls are counted under for their address, where no operation counts them for a caller. */
  limit?: LimitName;
  /** The body reaches the handler unread, as a stream, however long it takes. */
  stream?: true;
  describe?: Described;
  handle(service: Service, request: FastifyRequest): Promise<Reply>;
  /** Counts a call that is refused before it reaches the handler, and refuses it, where `limit` does not. */
  unhandled?(service: Service, request: FastifyRequest, refusal: Refusal): Promise<never>;
  /** The same operation for another kind of caller, at another address; for routes that perform one. */
  calledBy?(caller: CallerOf, url: string): Route;
}

/** Who calls, by what a request shows; whether that is true is for the door to say. */
export type CallerOf = (request: FastifyRequest, service: Service) => Credential | Promise<Credential>;

/** A route that lets one caller perform one operation: who calls → input → perform → reply. */
export function operationRoute<Input, Output>(definition: {
  method: Method;
  url: string;
  bodyLimit?: number;
  stream?: true;
  describe?: Described;
  caller: CallerOf;
  /** The operation's input out of body, path and query; also checks REST's `project_id` at the door. */
  input(request: FastifyRequest, caller: Credential): unknown;
  operation: MemberOperation<Input, Output>;
  reply?(output: Output): Reply;
}): Route {
  const { caller: callerOf, input, operation, reply, ...route } = definition;
  /** An unreadable body or a foreign project is told only to a caller whom the door lets in. */
  const inputOf = async (service: Service, request: FastifyRequest, caller: Credential): Promise<unknown> => {
    try {
      return input(request, caller);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return await refuse(service.db.behind(operationDoor(operation, caller)), error);
    }
  };
  return {
    ...route,
    async handle(service, request) {
      const caller = await callerOf(request, service);
      const output = await countedFor(service, operation.limit, caller, async (counted) =>
        perform(counted, operation, caller, await inputOf(counted, request, caller)),
      );
      return reply === undefined ? ok(output as object) : reply(output);
    },
    calledBy(caller, url) {
      const { describe: _, ...same } = definition;
      return operationRoute({ ...same, caller, url });
    },
  };
}

/** One address for two operations: the second where the request's URL matches, for every kind of caller. */
export const routeByUrl = (first: Route, matching: RegExp, second: Route): Route => ({
  ...first,
  handle: (service, request) =>
    (matching.test(request.raw.url ?? "") ? second : first).handle(service, request),
  calledBy: (caller, url) =>
    routeByUrl(first.calledBy?.(caller, url) ?? first, matching, second.calledBy?.(caller, url) ?? second),
});
