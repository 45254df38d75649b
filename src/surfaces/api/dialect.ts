import type { Refusal, RefusalKind } from "../../core/refusal.ts";
import type { Reply } from "../../http/reply.ts";

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

/** How the endpoints without a version say no: `{"detail", "code"}`, a shape that never changes. */
export function detailAndCode({ kind, code, message, retryAfter }: Refusal): Reply {
  const status = code === "internal" ? 500 : STATUS[kind];
  const headers: Record<string, string> = {};
  if (status === 401) headers["WWW-Authenticate"] = "Bearer";
  if (status === 429 || status === 503) headers["Retry-After"] = String(retryAfter ?? 1);
  return { status, headers, body: { detail: message, code } };
}
