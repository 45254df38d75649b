/** Where a trace comes from: a span of a caller, or of the request that queued a job. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  sampled: boolean;
  /** What other tracing systems pass on (tracestate); empty if there is nothing. */
  state: string;
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Longer lists may be cut or left out (W3C Trace Context 3.3.1.5); we leave them out. */
const LONGEST_STATE = 512;

const KEY = "[a-z0-9][a-z0-9_\\-*/@]{0,255}";
const VALUE = "[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]";
const MEMBER = new RegExp(`^${KEY}=${VALUE}$`);
const MOST_MEMBERS = 32;

/**
 * Reads `traceparent` and `tracestate` (W3C Trace Context 3.2, 3.3); undefined if there is no valid parent. Of a version
 * that is not known, the parts of version 00 are read.
 */
export function readTraceParent(parent: unknown, state?: unknown): TraceParent | undefined {
  if (typeof parent !== "string") return undefined;
  const [, version, traceId = "", spanId = "", flags = "", more] = FORM.exec(parent) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1, state: stateOf(state) };
}

/** The list of other systems; empty if it breaks the rules, which invalidates all of it. */
function stateOf(given: unknown): string {
  if (typeof given !== "string" || given.length > LONGEST_STATE) return "";
  const members = given.split(",").map((each) => each.trim());
  const filled = members.filter((each) => each !== "");
  const keys = new Set(filled.map((each) => each.split("=", 1)[0]));
  const isValid = filled.length <= MOST_MEMBERS && keys.size === filled.length;
  return isValid && filled.every((each) => MEMBER.test(each)) ? filled.join(",") : "";
}

/** The header `traceparent`, in version 00. */
export const traceParentOf = (traceId: string, spanId: string, sampled: boolean): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
