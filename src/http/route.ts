import type { FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { Refusal } from "../core/refusal.ts";
import { type Credential, doorOf } from "../domain/credential.ts";
import { type MemberOperation, perform, refuse } from "../domain/operation.ts";
import type { Service } from "../domain/service.ts";
import { ok, type Reply } from "./reply.ts";

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
  describe?: Described;
  handle(service: Service, request: FastifyRequest): Promise<Reply>;
}

/** A route that lets one caller perform one operation: who calls → input → perform → reply. */
export function operationRoute<Input, Output>(definition: {
  method: Method;
  url: string;
  bodyLimit?: number;
  describe: Described;
  caller(request: FastifyRequest): Credential;
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
      return await refuse(service.db.behind(doorOf(caller, operation.needs)), error);
    }
  };
  return {
    ...route,
    async handle(service, request) {
      const caller = callerOf(request);
      const output = await perform(service, operation, caller, await inputOf(service, request, caller));
      return reply === undefined ? ok(output as object) : reply(output);
    },
  };
}
