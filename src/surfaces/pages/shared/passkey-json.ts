import type { FastifyRequest } from "fastify";
import { type TSchema, Type } from "typebox";
import { malformed } from "../../../core/refusal.ts";
import { faultFinder } from "../../../domain/operation/input-faults.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { jsonBody } from "../../../http/request/body.ts";
import { localeOf } from "../../../http/request/locale.ts";
import { refusalOf } from "../../../http/response/failure.ts";
import { messageIn } from "../../../http/response/refusal-words.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { retryHeader, statusOf } from "../../../http/response/status.ts";
import type { Route } from "../../../http/route/route.ts";

/** Bytes as encoded in WebAuthn's JSON. */
export const Base64Url = Type.String({ pattern: "^[A-Za-z0-9_-]*$", minLength: 1, maxLength: 20_000 });

/** Returns the schema of a member that browsers leave out or set to null. */
export const optional = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));

/** Returns a reader of JSON bodies of this shape, which refuses others. `T` is the schema's static type. */
export function jsonOf<T>(schema: TSchema): (request: FastifyRequest) => T {
  const faultsOf = faultFinder(schema);
  return (request) => {
    const body = jsonBody(request);
    const faults = faultsOf(body);
    if (faults.length > 0) throw malformed(faults);
    return body as T; // matches the schema
  };
}

/** Answers our own script in JSON: refusals too, with a message in the person's language. */
export function answering(handle: Route["handle"]): Route["handle"] {
  return async (service: Service, request: FastifyRequest): Promise<Reply> => {
    const safe = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
    try {
      const reply = await handle(service, request);
      return { ...reply, headers: { ...safe, ...reply.headers } };
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.cause !== undefined) request.log.error({ err: refusal.cause }, "request failed");
      const body = {
        code: refusal.code,
        message: messageIn(localeOf(request), refusal),
        request_id: request.id,
      };
      return { status: statusOf(refusal), body, headers: { ...safe, ...retryHeader(refusal) } };
    }
  };
}
