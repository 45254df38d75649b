import { refusalOf } from "../../../http/response/failure.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { CODE, RpcError } from "../protocol/rpc-error.ts";

/** The codes of a database that is away or takes no changes. */
const OF_SERVICE: ReadonlySet<string> = new Set(["database_away", "storage_full", "read_only"]);

/**
 * Returns a failure of a resource, prompt or completion as a protocol error; internals go to the log.
 * Failures that concern the token or the service as a whole are answered at the HTTP level, as for tools.
 */
export function protocolFailure(error: unknown, { request }: Exchange): unknown {
  if (error instanceof RpcError) return error;
  const refusal = refusalOf(error);
  const { kind, code, message, cause } = refusal;
  if (kind === "unauthenticated" || kind === "forbidden" || kind === "too_many" || OF_SERVICE.has(code)) {
    return error;
  }
  if (cause !== undefined) request.log.error({ err: cause }, "reading failed");
  const ours = code === "internal" || code === "too_slow";
  return new RpcError(ours ? CODE.internal : CODE.badParams, message, {
    status: 200,
    data: { code, request_id: request.id },
  });
}
