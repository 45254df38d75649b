import type { Refusal } from "../../core/refusal.ts";
import type { Reply } from "../../http/reply.ts";
import { statusOf } from "../../http/status.ts";

/** How the endpoints without a version say no: `{"detail", "code"}`, a shape that never changes. */
export function detailAndCode(refusal: Refusal): Reply {
  const { code, message, retryAfter } = refusal;
  const status = statusOf(refusal);
  const headers: Record<string, string> = {};
  if (status === 401) headers["WWW-Authenticate"] = "Bearer";
  if (status === 429 || status === 503) headers["Retry-After"] = String(retryAfter ?? 1);
  return { status, headers, body: { detail: message, code } };
}
