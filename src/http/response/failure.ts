import { databaseAway, Refusal } from "../../core/refusal.ts";
import { type WriteFault, writeFaultOf } from "../../core/write-fault.ts";

/** PostgreSQL's codes (appendix A) for an unreachable or full server, timeouts and conflicts. */
const AWAY = /^(08...|53...|57P..|57014|55P03|40001|40P01)$/;
/** Why nothing can be stored at the moment. An operator has to act, so callers wait longer. */
const NOT_STORED: Readonly<Record<WriteFault, string>> = {
  storage_full: "Nothing can be stored at the moment: the database's disk is full.",
  read_only: "Nothing can be stored at the moment: the database is read-only.",
};
const WRITES_AGAIN = 10;
const NETWORK = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOENT"]);

/**
 * Returns any error as a refusal: refusals unchanged, Fastify's by status, a database that is unreachable or takes no
 * changes as 503, others as internal. `bodyLimit` is that of the request, in bytes.
 */
export function refusalOf(error: unknown, bodyLimit?: number): Refusal {
  if (error instanceof Refusal) return error;
  const {
    code = "",
    statusCode,
    message = "",
  } = error as { code?: string; statusCode?: number; message?: string };
  if (statusCode === 413) return new Refusal("too_large", "too_large", tooLarge(bodyLimit));
  if (statusCode === 415)
    return new Refusal("unsupported_media", "unsupported_media", "This content type is not supported.");
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal("malformed", "malformed", "The request could not be read.");
  }
  if (code === "57014") {
    return new Refusal(
      "unavailable",
      "too_slow",
      "The query took too long. Narrow the filter and try again.",
      { retryAfter: 2, cause: error },
    );
  }
  const fault = writeFaultOf(code);
  if (fault !== undefined) {
    return new Refusal("unavailable", fault, `${NOT_STORED[fault]} Reading still works. Try again later.`, {
      retryAfter: WRITES_AGAIN,
      cause: error,
    });
  }
  if (
    AWAY.test(code) ||
    NETWORK.has(code) ||
    /connection terminated|is not queryable|timeout exceeded when trying to connect/i.test(message)
  ) {
    return databaseAway(error);
  }
  return new Refusal(
    "unavailable",
    "internal",
    "Something went wrong on our side. Give the request id to support.",
    { cause: error },
  );
}

function tooLarge(limit: number | undefined): string {
  if (limit === undefined) return "The body is too large.";
  const size = limit < 1_048_576 ? `${limit / 1_024} KB` : `${limit / 1_048_576} MB`;
  return `The body is larger than ${size} (${limit} bytes), which is the limit of this call.`;
}
