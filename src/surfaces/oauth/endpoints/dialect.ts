import type { RefusalKind } from "../../../core/refusal.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Dialect } from "../../../http/route/serve.ts";

const OWN_CODES = new Set([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "invalid_scope",
  "invalid_target",
  "unsupported_grant_type",
  "invalid_redirect_uri",
  "invalid_client_metadata",
]);

const STATUS: Partial<Record<RefusalKind, number>> = { unauthenticated: 401, too_large: 413, too_many: 429 };

/** Reports refusals as `{error, error_description}` (RFC 6749 5.2, RFC 7591 3.2.2). */
export const oauthDialect: Dialect = (refusal) => {
  if (refusal.kind === "unavailable") {
    const away = refusal.code !== "internal";
    const error = away ? "temporarily_unavailable" : "server_error";
    return answer(away ? 503 : 500, error, refusal.message, refusal.retryAfter);
  }
  if (refusal.kind === "too_many")
    return answer(429, "too_many_requests", refusal.message, refusal.retryAfter);
  const error = OWN_CODES.has(refusal.code) ? refusal.code : "invalid_request";
  return answer(STATUS[refusal.kind] ?? 400, error, refusal.message);
};

function answer(status: number, error: string, description: string, retryAfter?: number): Reply {
  return {
    status,
    body: { error, error_description: description },
    ...(retryAfter === undefined ? {} : { headers: { "Retry-After": String(retryAfter) } }),
  };
}
