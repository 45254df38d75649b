/** The kind of a refusal. Each surface's dialect maps it to a status and a response format. */
export type RefusalKind =
  | "malformed" // 400
  | "unauthenticated" // 401
  | "forbidden" // 403
  | "not_found" // 404
  | "conflict" // 409
  | "gone" // 410
  | "stale" // 412
  | "too_large" // 413
  | "unsupported_media" // 415
  | "unprocessable" // 422
  | "too_many" // 429
  | "unavailable"; // 503

/** One fault in an input: its location (JSON path or column), a stable code, and a sentence. */
export interface Fault {
  path: string;
  code: string;
  message: string;
}

/**
 * An expected error. `message` and `faults` are public; details that must not be shown go into `cause`. `code` is
 * stable and machine-readable; `retryAfter` is in whole seconds.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly kind: RefusalKind;
  readonly code: string;
  readonly faults: Fault[];
  readonly retryAfter: number | undefined;

  constructor(
    kind: RefusalKind,
    code: string,
    message: string,
    more: { faults?: Fault[]; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.kind = kind;
    this.code = code;
    this.faults = more.faults ?? [];
    this.retryAfter = more.retryAfter;
  }
}

/** The refusal of a bad input, with the JSON path of each fault; the message repeats the first one. */
export function malformed(faults: Fault[]): Refusal {
  const first = faults[0];
  const message = first === undefined ? "The input is invalid." : `${first.path}: ${first.message}`;
  return new Refusal("malformed", first?.code ?? "invalid_input", message, { faults });
}

/** The refusal of a call for which the database does not answer. */
export const databaseAway = (cause?: unknown): Refusal =>
  new Refusal("unavailable", "database_away", "The database is not available. Try again shortly.", {
    retryAfter: 2,
    cause,
  });

export const notFound = (noun: string): Refusal =>
  new Refusal("not_found", "not_found", `No such ${noun} in this project.`);
