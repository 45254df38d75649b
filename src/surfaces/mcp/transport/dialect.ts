import { retryHeader, statusOf } from "../../../http/response/status.ts";
import type { Dialect } from "../../../http/route/serve.ts";
import { CODE, RpcError } from "../protocol/rpc-error.ts";
import { errorText } from "../protocol/rpc-text.ts";

/** Reports the refusal of an HTTP request as a JSON-RPC error without an id (MCP 2025-11-25, transports). */
export const httpRefusal: Dialect = (refusal, request) => {
  const status = statusOf(refusal);
  const data = { code: refusal.code, request_id: request.id };
  const error = new RpcError(status < 500 ? CODE.refused : CODE.internal, refusal.message, { data });
  return { status, headers: retryHeader(refusal), body: errorText(error, null) };
};
