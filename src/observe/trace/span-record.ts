import { KIND, type Span, type Value } from "./span.ts";
import { statementWords } from "./statement-words.ts";
import { rounded } from "./trace.ts";

/** A span as OTLP has it, in either encoding. */
export interface SpanRecord {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  traceState: string;
  flags: number;
  name: string;
  kind: number;
  /** Nanoseconds since 1970. */
  start: bigint;
  end: bigint;
  attributes: readonly (readonly [name: string, value: Value])[];
  failed: boolean;
  link: { traceId: string; spanId: string; traceState: string; flags: number } | undefined;
}

/** Trace flags and SpanFlags of trace.proto. */
const SAMPLED = 0x01;
const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;
const LONGEST = 4_001;

/** Returns what is exported of a span. */
export function recordOf(span: Span): SpanRecord {
  const { trace, parent } = span;
  const isRoot = parent === undefined;
  const remote = isRoot ? trace.parent : undefined;
  const words = span.text === undefined ? undefined : statementWords(span.text);
  const attributes: [string, Value][] = [];
  if (words !== undefined) {
    attributes.push(["db.system.name", "postgresql"]);
    attributes.push(["db.operation.name", words.operation], ["db.query.summary", words.summary]);
    attributes.push(["db.query.text", words.text]);
  }
  if (span.takenAt !== 0)
    attributes.push(["leadgate.db.wait_ms", rounded(Math.max(0, span.takenAt - span.start))]);
  for (let i = 0; i + 1 < (span.attributes?.length ?? 0); i += 2) {
    const [name, value] = [span.attributes?.[i], span.attributes?.[i + 1]];
    if (typeof name === "string" && value !== undefined) attributes.push([name, shown(value)]);
  }
  if (span.error !== undefined) attributes.push(["error.type", span.error]);
  const link = isRoot ? trace.link : undefined;
  return {
    traceId: trace.id,
    spanId: span.id,
    parentSpanId: parent?.id ?? remote?.spanId,
    traceState: trace.parent?.state ?? "",
    flags: SAMPLED | HAS_IS_REMOTE | (remote === undefined ? 0 : IS_REMOTE),
    name: span.name || words?.summary || "span",
    kind: span.kind,
    start: nanoseconds(trace.offset + span.start),
    end: nanoseconds(trace.offset + span.end),
    attributes,
    // A client's mistake is no error of the service that answers it.
    failed: span.error !== undefined && (span.kind !== KIND.server || isServerError(span.error)),
    link:
      link === undefined
        ? undefined
        : {
            traceId: link.traceId,
            spanId: link.spanId,
            traceState: link.state,
            flags: (link.sampled ? SAMPLED : 0) | HAS_IS_REMOTE | IS_REMOTE,
          },
  };
}

const isServerError = (type: string): boolean => !/^4\d\d$/.test(type);

/** A double holds microseconds of today exactly, but not nanoseconds. */
const nanoseconds = (ms: number): bigint => BigInt(Math.round(ms * 1_000)) * 1_000n;

const shown = (value: Value): Value =>
  typeof value === "string" && value.length > LONGEST ? value.slice(0, LONGEST) : value;
