import type { Fault, Problem } from "../../../src/contract/basics/problem.ts";

/** The service refused a request. `code` is stable; show `requestId`, with which support finds the request. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly details: readonly Fault[];
  readonly requestId: string;
  /** Seconds to wait, if the service sent a Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(answer: {
    status: number;
    code: string;
    message: string;
    details: readonly Fault[];
    requestId: string;
    retryAfter: number | undefined;
  }) {
    super(answer.message);
    this.status = answer.status;
    this.code = answer.code;
    this.details = answer.details;
    this.requestId = answer.requestId;
    this.retryAfter = answer.retryAfter;
  }
}

/** Reads the error from a response, even if a proxy sent it. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  let body: Partial<Omit<Problem, "error">> & { error?: Partial<Problem["error"]> } = {};
  try {
    body = JSON.parse(text);
  } catch {
    // the page of a proxy, or an empty body
  }
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiError({
    status: response.status,
    code: body.error?.code ?? `http_${response.status}`,
    message: body.error?.message ?? response.statusText,
    details: body.error?.details ?? [],
    requestId: body.request_id ?? response.headers.get("x-request-id") ?? "",
    retryAfter: Number.isFinite(wait) ? wait : undefined,
  });
}
