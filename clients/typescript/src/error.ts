/** One fault of a request: where it is (a JSON path such as `$.filter.value`), and what is wrong there. */
export interface FaultDetail {
  path?: string;
  code?: string;
  message?: string;
  [member: string]: unknown;
}

interface Failure {
  status: number;
  code: string;
  message: string;
  details?: readonly FaultDetail[];
  requestId?: string | null;
  retryAfter?: number | null;
  cause?: unknown;
}

/**
 * A call that did not succeed. `status` is 0 if no response arrived; `code` is then `timeout` or `no_response`, and
 * a write may or may not have been performed.
 */
export class LeadgateError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly FaultDetail[];
  /** Quote it to support. Null if no response arrived. */
  readonly requestId: string | null;
  /** Seconds after which the call may be repeated, of 429 and 503; otherwise null. */
  readonly retryAfter: number | null;

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? {} : { cause: failure.cause });
    this.name = "LeadgateError";
    this.status = failure.status;
    this.code = failure.code;
    this.details = failure.details ?? [];
    this.requestId = failure.requestId ?? null;
    this.retryAfter = failure.retryAfter ?? null;
  }
}

/** The codes of 503 for calls that were not begun: too much to do, or the database is being migrated. */
const NOT_BEGUN: readonly string[] = ["overloaded", "migrating"];

/** Whether the service refused the call before it did anything. */
export const isUndone = ({ status, code }: LeadgateError): boolean =>
  status === 429 || NOT_BEGUN.includes(code);

/** Returns the error that a response of status 400 or above reports. */
export async function errorOf(response: Response): Promise<LeadgateError> {
  const text = await response.text();
  const { status, headers } = response;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return new LeadgateError({
    status,
    ...problemIn(text, status),
    requestId: headers.get("x-request-id"),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  });
}

/** Both forms of a problem: `{error: {code, message, details}}` under /api/v1, otherwise `{detail, code}`. */
interface ProblemBody {
  error?: { code?: string; message?: string; details?: readonly FaultDetail[] };
  detail?: string;
  code?: string;
}

function problemIn(text: string, status: number): Pick<Failure, "code" | "message" | "details"> {
  let body: ProblemBody = {};
  try {
    body = (JSON.parse(text) as ProblemBody | null) ?? {};
  } catch {
    // A proxy's page: there is no more to know than its status.
  }
  return {
    code: body.error?.code ?? body.code ?? `status_${status}`,
    message: body.error?.message ?? body.detail ?? `The response has status ${status}.`,
    details: body.error?.details ?? [],
  };
}

/** The codes of cursors with which events would be missing. */
const OVER = new Set(["cursor_of_former_epoch", "cursor_expired"]);

/** Whether a cursor is from before a backup was restored, or too old: then reading starts again. */
export const isOver = (error: unknown): boolean => error instanceof LeadgateError && OVER.has(error.code);
