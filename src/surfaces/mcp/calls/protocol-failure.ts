import { refusalOf } from "../../../http/response/failure.ts";
import type { Asked, Exchange } from "../protocol/exchange.ts";
import { CODE, RpcError } from "../protocol/rpc-error.ts";

/**
 * Returns a failure of a resource, prompt or completion as a protocol error; internals go to the log.
 * Failures that concern the token or the service as a whole are answered at the HTTP level, as for tools.
 */
export function protocolFailure(error: unknown, { request }: Exchange): unknown {
  if (error instanceof RpcError) return error;
  const refusal = refusalOf(error);
  const { kind, code, message, cause } = refusal;
  const ours = code === "internal" || code === "too_slow";
  const isTemporary = kind === "too_many" || (kind === "unavailable" && !ours);
  if (kind === "unauthenticated" || kind === "forbidden" || isTemporary) return error;
  if (cause !== undefined) request.log.error({ err: cause }, "reading failed");
  return new RpcError(ours ? CODE.internal : CODE.badParams, message, {
    status: 200,
    data: { code, request_id: request.id },
  });
}

/** Returns a failure as a protocol error where the HTTP status can no longer tell it. */
export function lateFailure(error: unknown, request: Asked): RpcError {
  if (error instanceof RpcError) return error;
  const { code, message, cause } = refusalOf(error);
  if (cause !== undefined) request.log.error({ err: cause }, "request failed");
  return new RpcError(CODE.refused, message, { data: { code, request_id: request.id } });
}
