import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Refusal } from "../core/refusal.ts";
import type { Service } from "../domain/service.ts";
import { refusalOf } from "./failure.ts";
import type { Reply } from "./reply.ts";
import type { Route } from "./route.ts";

/** How a surface says no: the refusal in its own status, shape and headers. */
export type Dialect = (refusal: Refusal, request: FastifyRequest) => Reply;

/** A set of routes that answer errors in one dialect. */
export interface Surface {
  routes: readonly Route[];
  dialect: Dialect;
  /** Sets headers on every answer, errors included (CORS, content security policy). */
  headers?(request: FastifyRequest): Record<string, string>;
}

/** Mounts a surface on a listener. */
export function mount(app: FastifyInstance, surface: Surface, service: Service): void {
  for (const route of surface.routes) {
    const { summary, description, tags, bearer, body, params, query, answers } = route.describe ?? {};
    app.route({
      method: route.method,
      url: route.url,
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      schema: {
        hide: route.describe === undefined,
        ...(summary === undefined ? {} : { summary }),
        ...(description === undefined ? {} : { description }),
        ...(tags === undefined ? {} : { tags }),
        ...(bearer === undefined ? {} : { security: [{ bearer: [] }] }),
        ...(body === undefined ? {} : { body }),
        ...(params === undefined ? {} : { params }),
        ...(query === undefined ? {} : { querystring: query }),
        ...(answers === undefined ? {} : { response: answers }),
      },
      config: { surface },
      // Inputs are checked in perform(), by the operation's own schema: the route's is for OpenAPI.
      validatorCompiler: () => () => true,
      serializerCompiler: () => (data) => (typeof data === "string" ? data : JSON.stringify(data)),
      handler: async (request, reply) => send(reply, surface, request, await route.handle(service, request)),
      errorHandler: (error, request, reply) => {
        const refusal = refusalOf(error);
        if (refusal.kind === "unavailable" || refusal.cause !== undefined) {
          request.log.error({ err: refusal.cause ?? error }, "request failed");
        }
        return send(reply, surface, request, surface.dialect(refusal, request));
      },
    });
  }
}

/** Puts an answer on the wire. */
export function send(
  reply: FastifyReply,
  surface: Surface,
  request: FastifyRequest,
  answer: Reply,
): FastifyReply {
  reply.code(answer.status);
  reply.headers({ ...surface.headers?.(request), ...answer.headers });
  if (answer.body === undefined) return reply.send();
  reply.type(answer.type ?? "application/json; charset=utf-8");
  return reply.send(
    typeof answer.body === "object" && !("pipe" in answer.body) ? JSON.stringify(answer.body) : answer.body,
  );
}
