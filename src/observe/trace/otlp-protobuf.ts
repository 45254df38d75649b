import { Bytes } from "./bytes.ts";
import type { Value } from "./span.ts";
import type { SpanRecord } from "./span-record.ts";

/** What all spans of a request to the collector have in common. */
export interface Shared {
  resource: Readonly<Record<string, Value>>;
  scope: { name: string; version: string };
}

const STATUS_ERROR = 2;

/** An ExportTraceServiceRequest of OTLP 1.x in Protocol Buffers; the numbers are those of its .proto files. */
export function protobufOf({ resource, scope }: Shared, spans: readonly SpanRecord[]): Buffer {
  const bytes = new Bytes();
  bytes.message(1, () => {
    bytes.message(1, () => {
      for (const [name, value] of Object.entries(resource)) attribute(bytes, 1, name, value);
    });
    bytes.message(2, () => {
      bytes.message(1, () => {
        bytes.text(1, scope.name);
        bytes.text(2, scope.version);
      });
      for (const span of spans) bytes.message(2, () => writeSpan(bytes, span));
    });
  });
  return bytes.written;
}

function writeSpan(bytes: Bytes, span: SpanRecord): void {
  bytes.hex(1, span.traceId);
  bytes.hex(2, span.spanId);
  if (span.traceState !== "") bytes.text(3, span.traceState);
  if (span.parentSpanId !== undefined) bytes.hex(4, span.parentSpanId);
  bytes.text(5, span.name);
  bytes.whole(6, span.kind);
  bytes.fixed64(7, span.start);
  bytes.fixed64(8, span.end);
  for (const [name, value] of span.attributes) attribute(bytes, 9, name, value);
  const { link } = span;
  if (link !== undefined)
    bytes.message(13, () => {
      bytes.hex(1, link.traceId);
      bytes.hex(2, link.spanId);
      if (link.traceState !== "") bytes.text(3, link.traceState);
      bytes.fixed32(6, link.flags);
    });
  if (span.failed) bytes.message(15, () => bytes.whole(3, STATUS_ERROR));
  bytes.fixed32(16, span.flags);
}

/** A KeyValue. */
function attribute(bytes: Bytes, field: number, name: string, value: Value): void {
  bytes.message(field, () => {
    bytes.text(1, name);
    bytes.message(2, () => {
      if (typeof value === "string") bytes.text(1, value);
      else if (typeof value === "boolean") bytes.whole(2, value ? 1 : 0);
      else if (Number.isSafeInteger(value) && value >= 0) bytes.whole(3, value);
      else bytes.double(4, value);
    });
  });
}
