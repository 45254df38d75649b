import type { Refusal, RefusalKind } from "../../core/refusal.ts";
import type { Dialect } from "../../http/serve.ts";
import { CODE, errorBody, RpcError } from "./rpc-error.ts";

const STATUS: Record<RefusalKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  stale: 412,
  too_large: 413,
  unsupported_media: 415,
  unprocessable: 422,
  too_many: 429,
  unavailable: 503,
};

/** A refusal of the whole HTTP request, with a JSON-RPC error that answers no message (MCP 2025-11-25, transports). */
export const httpRefusal: Dialect = (refusal, request) => {
  const status = refusal.code === "internal" ? 500 : STATUS[refusal.kind];
  const data = { code: refusal.code, request_id: request.id };
  const error = new RpcError(status < 500 ? CODE.refused : CODE.internal, refusal.message, { data });
  return { status, headers: retryOf(refusal), body: errorBody(error, null) };
};

function retryOf({ retryAfter }: Refusal): Record<string, string> {
  return retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
}
