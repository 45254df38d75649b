import type { Fault, Refusal } from "../../../core/refusal.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { statusOf } from "../../../http/response/status.ts";

/**
 * How the endpoints without a version say no: `{"detail", "code"}`, a shape that never changes; beside it, the
 * `errors` of a call's rows.
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

/** A fault of one of the rows of a call; others are told by the detail alone. */
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
