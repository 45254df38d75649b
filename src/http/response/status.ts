import type { Refusal, RefusalKind } from "../../core/refusal.ts";

const STATUS: Record<RefusalKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  stale: 412,
  too_large: 413,
  unsupported_media: 415,
  unprocessable: 422,
  too_many: 429,
  unavailable: 503,
};

/** Returns the HTTP status of a refusal (RFC 9110 15); a dialect may differ if its standard does. */
export const statusOf = ({ code, kind }: Refusal): number => (code === "internal" ? 500 : STATUS[kind]);

/** Returns the Retry-After header of a temporary refusal, in whole seconds (RFC 9110 10.2.3). */
export const retryHeader = ({ retryAfter }: Refusal): Record<string, string> =>
  retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
