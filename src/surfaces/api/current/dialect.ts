import type { Fault, Refusal } from "../../../core/refusal.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { statusOf } from "../../../http/response/status.ts";

/**
 * Reports a refusal as `{"detail", "code"}`, a shape that never changes; `errors` is added if rows of the
 * call failed.
 */
export function detailAndCode(refusal: Refusal): Reply {
  const { code, message, faults, retryAfter } = refusal;
  const status = statusOf(refusal);
  const headers: Record<string, string> = {};
  if (status === 401) headers["WWW-Authenticate"] = "Bearer";
  if (status === 429 || status === 503) headers["Retry-After"] = String(retryAfter ?? 1);
  const errors = faults.flatMap(rowError);
  return { status, headers, body: { detail: message, code, ...(errors.length === 0 ? {} : { errors }) } };
}

/** The error of one row of the call; none for errors that concern no row, which only `detail` reports. */
function rowError({ path, code, message }: Fault): RowError[] {
  const [, index, column = null] = /^\$\.rows\[(\d+)\](?:\.(.+))?$/s.exec(path) ?? [];
  return index === undefined ? [] : [{ index: Number(index), column, code, message }];
}

interface RowError {
  index: number;
  column: string | null;
  code: string;
  message: string;
}
