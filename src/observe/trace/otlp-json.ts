import type { Shared } from "./otlp-protobuf.ts";
import type { Value } from "./span.ts";
import type { SpanRecord } from "./span-record.ts";

const STATUS_ERROR = 2;

/** The same request in JSON: ids in hex, numbers of 64 bits as strings, enumerations as numbers (OTLP, JSON Protobuf Encoding). */
export function jsonOf({ resource, scope }: Shared, spans: readonly SpanRecord[]): Buffer {
  const request = {
    resourceSpans: [
      {
        resource: { attributes: Object.entries(resource).map(attribute) },
        scopeSpans: [{ scope, spans: spans.map(spanOf) }],
      },
    ],
  };
  return Buffer.from(JSON.stringify(request));
}

const spanOf = (span: SpanRecord): object => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.traceState === "" ? {} : { traceState: span.traceState }),
  ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
  flags: span.flags,
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: String(span.start),
  endTimeUnixNano: String(span.end),
  attributes: span.attributes.map(attribute),
  ...(span.link === undefined
    ? {}
    : {
        links: [
          {
            traceId: span.link.traceId,
            spanId: span.link.spanId,
            ...(span.link.traceState === "" ? {} : { traceState: span.link.traceState }),
            flags: span.link.flags,
          },
        ],
      }),
  ...(span.failed ? { status: { code: STATUS_ERROR } } : {}),
});

function attribute([key, value]: readonly [string, Value]): object {
  if (typeof value === "string") return { key, value: { stringValue: value } };
  if (typeof value === "boolean") return { key, value: { boolValue: value } };
  if (Number.isSafeInteger(value)) return { key, value: { intValue: String(value) } };
  return { key, value: { doubleValue: value } };
}
