import { statusOf } from "../../../http/response/status.ts";
import type { Dialect } from "../../../http/route/serve.ts";

/** Reports refusals under /api/v1 in one envelope, with the request's id to quote to support. */
export const envelope: Dialect = (refusal, request) => {
  const { code, message, faults, retryAfter } = refusal;
  const status = statusOf(refusal);
  const headers: Record<string, string> = {};
  if (status === 401) headers["WWW-Authenticate"] = "Bearer";
  if (status === 429 || status === 503) headers["Retry-After"] = String(retryAfter ?? 1);
  return {
    status,
    headers,
    body: { error: { code, message, details: faults }, request_id: request.id },
  };
};
