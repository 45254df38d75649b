import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type FetchedPackage, fetchPackage } from "../../packages/fetch-package.ts";

/** A span as the collector received it, decoded by the .proto files of OpenTelemetry. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  traceState: string;
  flags: number;
  name: string;
  kind: number;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string; flags: number }[];
  /** 2 is an error. */
  status: number;
}

export interface ReceivedTraces {
  resource: Record<string, unknown>;
  scope: { name: string; version: string };
  spans: ReceivedSpan[];
}

/** What of protobufjs is used. */
interface Root {
  resolvePath: (origin: string, target: string) => string;
  loadSync(path: string): void;
  lookupType(name: string): {
    decode(bytes: Uint8Array): { toJSON(): Request };
    fromObject(given: object): { toJSON(): Request };
    verify(given: object): string | null;
    toObject(message: object, options: object): Request;
  };
}

interface Value {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: string;
  doubleValue?: number;
}

type Attributes = { key: string; value: Value }[];

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  flags?: number;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Attributes;
  links?: { traceId: string; spanId: string; flags?: number }[];
  status?: { code?: number };
}

interface Request {
  resourceSpans: {
    resource: { attributes: Attributes };
    scopeSpans: { scope: { name: string; version: string }; spans: Span[] }[];
  }[];
}

const PROTO = resolve("test/observe/support/proto");
const SERVICE = "opentelemetry/proto/collector/trace/v1/trace_service.proto";
const TYPE = "opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest";
const SPAN_TYPE = "opentelemetry.proto.trace.v1.Span";

const protobuf: FetchedPackage = await fetchPackage("protobuf", "protobufjs");

/** Why nothing can be decoded here, or false. */
export const { skip } = protobuf;

async function typesOf(): Promise<Root> {
  const { default: library } = (await import(pathToFileURL(resolve(protobuf.folder, "index.js")).href)) as {
    default: { Root: new () => Root };
  };
  const root = new library.Root();
  root.resolvePath = (_origin, target) => resolve(PROTO, target);
  root.loadSync(SERVICE);
  return root;
}

const root = skip === false ? await typesOf() : undefined;

/** Decodes a request in Protocol Buffers. */
export function decodeProtobuf(bytes: Buffer): ReceivedTraces {
  const type = root?.lookupType(TYPE);
  if (type === undefined) throw new Error("protobufjs is not installed");
  return receivedOf(type.toObject(type.decode(bytes), { longs: String, bytes: String }), (id) =>
    Buffer.from(id, "base64").toString("hex"),
  );
}

/** Decodes a request in JSON. Names and forms must be those of the .proto files; ids are in hex. */
export function decodeJson(bytes: Buffer): ReceivedTraces {
  const request = JSON.parse(bytes.toString()) as Request;
  const type = root?.lookupType(SPAN_TYPE);
  const spans = request.resourceSpans.flatMap((each) => each.scopeSpans.flatMap((one) => one.spans));
  for (const span of spans) {
    const known = Object.keys(type?.toObject(type.fromObject({}), { defaults: true, arrays: true }) ?? {});
    for (const key of Object.keys(span)) if (!known.includes(key)) throw new Error(`a span has no ${key}`);
    for (const time of [span.startTimeUnixNano, span.endTimeUnixNano])
      if (typeof time !== "string") throw new Error("a time of 64 bits must be a string");
  }
  return receivedOf(request, (id) => id);
}

function receivedOf(request: Request, hexOf: (id: string) => string): ReceivedTraces {
  const [only] = request.resourceSpans;
  const [scoped] = only?.scopeSpans ?? [];
  if (only === undefined || scoped === undefined) throw new Error("a request without spans");
  const spans = scoped.spans.map((span) => ({
    traceId: hexOf(span.traceId),
    spanId: hexOf(span.spanId),
    parentSpanId: hexOf(span.parentSpanId ?? ""),
    traceState: span.traceState ?? "",
    flags: span.flags ?? 0,
    name: span.name,
    kind: span.kind,
    start: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
    end: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
    attributes: plainOf(span.attributes ?? []),
    links: (span.links ?? []).map(({ traceId, spanId, flags = 0 }) => ({
      ...{ traceId: hexOf(traceId), spanId: hexOf(spanId), flags },
    })),
    status: span.status?.code ?? 0,
  }));
  return { resource: plainOf(only.resource.attributes), scope: scoped.scope, spans };
}

const plainOf = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ??
        value.boolValue ??
        (value.intValue === undefined ? value.doubleValue : Number(value.intValue)),
    ]),
  );
