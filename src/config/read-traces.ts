import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { membersOf } from "./json-setting.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Which traces are recorded and where they are sent (OpenTelemetry). */
export interface TraceSettings {
  /** Where batches are posted. */
  url: string;
  headers: Readonly<Record<string, string>>;
  format: "protobuf" | "json";
  compress: boolean;
  /** Milliseconds that a collector may take to answer. */
  answerMs: number;
  /** What all spans have in common: the service and its process. */
  resource: Readonly<Record<string, string | number>>;
  sampler: Sampler;
  /** From how many milliseconds on a request is slow, and exported whatever the sampler decides; undefined: never. */
  slowMs: number | undefined;
  /** Whether what failed is exported, whatever the sampler decides. */
  failed: boolean;
  /** Whether `traceparent` is accepted from callers and passed on. */
  propagates: boolean;
  queue: {
    /** How many spans wait at most. */
    most: number;
    /** How many spans are sent together. */
    together: number;
    /** Milliseconds between two batches. */
    everyMs: number;
    /** Milliseconds after which a batch that no collector took is given up. */
    patienceMs: number;
  };
  /** What was wrong with settings that OpenTelemetry wants to be ignored then. */
  warnings: readonly string[];
}

/** `ratio` of the traces that start here, from 0 to 1; `byParent` follows the decision of a caller's trace. */
interface Sampler {
  ratio: number;
  byParent: boolean;
}

const MEMBERS = ["slowMs", "failed"];
const RATIO = 0.05;

/** The attributes of the process, and the operator's, in the order of precedence of OpenTelemetry. */
const DEFAULT_NAME = "leadgate";

/**
 * Reads the `OTEL_*` settings and TRACES; undefined if traces are off. As OpenTelemetry has it, an empty setting counts as
 * absent, and an unknown choice or an unreadable number is ignored with a warning. What would send traces to the wrong place
 * throws an error that names the setting, and never shows a header.
 */
export function readTraces(env: Environment, traces: unknown): TraceSettings | undefined {
  const warnings: string[] = [];
  const read = new Reader(env, warnings);
  const members = membersOf("TRACES", traces, MEMBERS);
  const [slowMs, failed] = [slowOf(members.slowMs), members.failed ?? true];
  if (typeof failed !== "boolean")
    throw new Error(`TRACES: failed is ${JSON.stringify(failed)}; it must be true or false.`);
  if (read.boolean("OTEL_SDK_DISABLED")) return undefined;
  const endpoint =
    read.text("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") ?? read.text("OTEL_EXPORTER_OTLP_ENDPOINT");
  const exporters = read
    .text("OTEL_TRACES_EXPORTER")
    ?.split(",")
    .map((name) => name.trim());
  for (const name of exporters ?? [])
    if (name !== "otlp" && name !== "none")
      read.warn(
        "OTEL_TRACES_EXPORTER",
        `has the unknown exporter "${name}"; the known ones are otlp and none`,
      );
  if (
    exporters === undefined
      ? endpoint === undefined
      : !exporters.includes("otlp") || exporters.includes("none")
  )
    return undefined;
  return {
    url: urlOf(read),
    headers: headersOf(read),
    format: formatOf(read),
    compress:
      read.choice("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", COMPRESSIONS) ??
      read.choice("OTEL_EXPORTER_OTLP_COMPRESSION", COMPRESSIONS) ??
      false,
    answerMs:
      read.count("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT") ?? read.count("OTEL_EXPORTER_OTLP_TIMEOUT") ?? 10_000,
    resource: resourceOf(read),
    sampler: samplerOf(read),
    slowMs,
    failed,
    propagates: propagates(read),
    queue: queueOf(read),
    warnings,
  };
}

const COMPRESSIONS: Readonly<Record<string, boolean>> = { gzip: true, none: false };

function slowOf(given: unknown): number | undefined {
  if (given === undefined) return 1_000;
  if (given === null) return undefined;
  if (typeof given === "number" && Number.isInteger(given) && given >= 1 && given <= 3_600_000) return given;
  throw new Error(
    `TRACES: slowMs is ${JSON.stringify(given)}; it must be a whole number of milliseconds from 1 to 3600000, or null.`,
  );
}

/** Reads single settings; what is wrong with them is collected in `warnings`. */
class Reader {
  readonly #env: Environment;
  readonly #warnings: string[];

  constructor(env: Environment, warnings: string[]) {
    this.#env = env;
    this.#warnings = warnings;
  }

  text(name: string): string | undefined {
    const text = this.#env[name]?.trim();
    return text === "" ? undefined : text;
  }

  warn(name: string, what: string): undefined {
    this.#warnings.push(`${name} ${what}; it is ignored`);
  }

  boolean(name: string): boolean {
    const text = this.text(name)?.toLowerCase();
    if (text !== undefined && text !== "true" && text !== "false")
      this.warn(name, `is "${text}" instead of true or false`);
    return text === "true";
  }

  choice<T>(name: string, known: Readonly<Record<string, T>>): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (Object.hasOwn(known, text)) return known[text];
    return this.warn(name, `is "${text}", which is not one of ${Object.keys(known).join(", ")}`);
  }

  /** A whole number from 1 on. */
  count(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    return this.warn(name, `is "${text}", which is not a whole number from 1 to 999999999`);
  }

  /** Pairs such as `name=value,other=value`, with percent-encoded values; undefined if one cannot be read. */
  pairs(name: string): Record<string, string> | undefined {
    const text = this.text(name);
    if (text === undefined) return {};
    const pairs: Record<string, string> = {};
    for (const part of text.split(",").filter((each) => each.trim() !== "")) {
      const [, key, value] = /^\s*([^\s=]+)\s*=(.*)$/s.exec(part) ?? [];
      if (key === undefined || value === undefined) return undefined;
      try {
        pairs[decodeURIComponent(key)] = decodeURIComponent(value.trim());
      } catch {
        return undefined;
      }
    }
    return pairs;
  }
}

function urlOf(read: Reader): string {
  for (const [name, path] of [
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", ""],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "v1/traces"],
  ] as const) {
    const text = read.text(name);
    if (text === undefined) continue;
    const url = URL.parse(text);
    // A password in the URL would be shown in the log; it belongs into the headers.
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
      throw new Error(
        `${name} must be an http or https URL without a name and a password, such as http://localhost:4318.`,
      );
    if (path !== "") url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
    return url.href;
  }
  return "http://localhost:4318/v1/traces";
}

function headersOf(read: Reader): Record<string, string> {
  const all: Record<string, string> = {};
  for (const name of ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"]) {
    const pairs = read.pairs(name);
    try {
      if (pairs === undefined) throw new Error("a pair has no =");
      for (const [key, value] of new Headers(pairs)) all[key] = value;
    } catch {
      throw new Error(
        `${name} must be a list of name=value, with percent-encoded values, separated by commas.`,
      );
    }
  }
  return all;
}

function formatOf(read: Reader): "protobuf" | "json" {
  for (const name of ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]) {
    if (read.text(name) === "grpc")
      throw new Error(
        `${name} is grpc, which Leadgate does not speak. Set it to http/protobuf, and the endpoint to the collector's port for HTTP (4318 by default).`,
      );
    const format = read.choice(name, { "http/protobuf": "protobuf", "http/json": "json" } as const);
    if (format !== undefined) return format;
  }
  return "protobuf";
}

function resourceOf(read: Reader): Record<string, string | number> {
  const name = "OTEL_RESOURCE_ATTRIBUTES";
  const given =
    read.pairs(name) ?? read.warn(name, "is not a list of name=value with percent-encoded values");
  const service = read.text("OTEL_SERVICE_NAME") ?? given?.["service.name"] ?? DEFAULT_NAME;
  return {
    "service.instance.id": randomUUID(),
    "host.name": hostname(),
    "process.pid": process.pid,
    ...given,
    "service.name": service,
    "telemetry.sdk.name": "leadgate",
    "telemetry.sdk.language": "nodejs",
  };
}

function samplerOf(read: Reader): Sampler {
  const name = "OTEL_TRACES_SAMPLER";
  const ratios = { always_on: 1, always_off: 0, traceidratio: undefined };
  const chosen = read.text(name) ?? "parentbased_traceidratio";
  const [, byParent, kind = ""] = /^(parentbased_)?(.*)$/.exec(chosen) ?? [];
  const isKnown = Object.hasOwn(ratios, kind);
  if (!isKnown) read.warn(name, `is "${chosen}", which is not a known sampler`);
  const ratio = isKnown ? ratios[kind as keyof typeof ratios] : undefined;
  return { ratio: ratio ?? ratioOf(read, isKnown), byParent: byParent !== undefined || !isKnown };
}

/** With a sampler by ratio that is chosen without one, OpenTelemetry samples everything. */
function ratioOf(read: Reader, isKnown: boolean): number {
  const name = "OTEL_TRACES_SAMPLER_ARG";
  const [text, hasSampler] = [read.text(name), isKnown && read.text("OTEL_TRACES_SAMPLER") !== undefined];
  const fallback = hasSampler ? 1 : RATIO;
  if (text === undefined) return fallback;
  const ratio = /^(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (ratio >= 0 && ratio <= 1) return ratio;
  read.warn(name, `is "${text}", which is not a number from 0 to 1`);
  return fallback;
}

function propagates(read: Reader): boolean {
  const names = (read.text("OTEL_PROPAGATORS") ?? "tracecontext").split(",").map((name) => name.trim());
  for (const name of names)
    if (!["tracecontext", "baggage", "none"].includes(name))
      read.warn("OTEL_PROPAGATORS", `has "${name}", but only tracecontext is propagated`);
  return names.includes("tracecontext");
}

function queueOf(read: Reader): TraceSettings["queue"] {
  const most = read.count("OTEL_BSP_MAX_QUEUE_SIZE") ?? 2_048;
  return {
    most,
    together: Math.min(read.count("OTEL_BSP_MAX_EXPORT_BATCH_SIZE") ?? 512, most),
    everyMs: read.count("OTEL_BSP_SCHEDULE_DELAY") ?? 5_000,
    patienceMs: read.count("OTEL_BSP_EXPORT_TIMEOUT") ?? 30_000,
  };
}
