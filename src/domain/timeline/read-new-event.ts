import { EVENT_TYPE } from "../../contract/lists/events.ts";
import { type Fault, malformed } from "../../core/refusal.ts";
import type { WritingSchema } from "../fields/writing-schema.ts";
import { unprocessable } from "../leads/write/read-lead.ts";
import { readValue } from "../leads/write/read-value.ts";
import { dataFault, type EventData } from "./event-data.ts";
import { eventTitle } from "./event-title.ts";

/** An event to record. The default time is now; the default source is the caller's surface. */
export interface NewEvent {
  type: string;
  occurred_at: string | null;
  title: string;
  data: EventData;
  source: string | null;
  external_id: string | null;
}

/** The maximum length of each string. */
const TEXTS = { title: 500, source: 100, external_id: 255 } as const;
const KEYS = new Set(["type", "occurred_at", "data", ...Object.keys(TEXTS)]);

/** Reads an event from a request: an unknown key is 400, an invalid value 422. */
export function readNewEvent(input: unknown, schema: WritingSchema, path = "$"): NewEvent {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw malformed([{ path, code: "type", message: "must be a JSON object" }]);
  const extras = Object.keys(input).filter((key) => !KEYS.has(key));
  if (extras.length > 0) throw malformed(extras.slice(0, 20).map((key) => unknownKey(key, path)));
  const given = input as Record<string, unknown>;
  const faults: Fault[] = [];
  const text = (name: keyof typeof TEXTS): string | null => {
    const value = given[name] ?? null;
    if (value === null || (typeof value === "string" && value.trim() === "")) return null;
    const reading = readValue("url", value, schema);
    const read = "value" in reading ? String(reading.value) : "";
    if ("code" in reading) faults.push({ path: `${path}.${name}`, ...reading });
    else if (read.length > TEXTS[name]) faults.push(tooLong(`${path}.${name}`, TEXTS[name]));
    return read;
  };
  const type = readType(given.type, `${path}.type`, faults);
  const occurred = readMoment(given.occurred_at ?? null, schema, `${path}.occurred_at`, faults);
  const data = readData(given.data, `${path}.data`, faults);
  const [title, source, external] = [text("title"), text("source"), text("external_id")];
  if (faults.length > 0) throw unprocessable(faults);
  return {
    type,
    occurred_at: occurred,
    title: title ?? eventTitle(type, data),
    data,
    source,
    external_id: external,
  };
}

const unknownKey = (key: string, path: string): Fault => ({
  path: `${path}.${key.slice(0, 60).toWellFormed()}`,
  code: "unknown_key",
  message: `is not a known key; the known keys are ${[...KEYS].join(", ")}`,
});

const tooLong = (path: string, most: number): Fault => ({
  path,
  code: "too_long",
  message: `must have at most ${most} characters`,
});

function readType(type: unknown, path: string, faults: Fault[]): string {
  if (typeof type !== "string" || !EVENT_TYPE.test(type)) {
    const message = "must be noun.verb in lowercase letters, such as email.opened";
    faults.push({ path, code: type === undefined ? "required" : "bad_event_type", message });
    return "";
  }
  if (type.startsWith("lead.")) {
    faults.push({
      path,
      code: "reserved_type",
      message: "must not start with lead., which is reserved for the service",
    });
  }
  return type;
}

function readMoment(value: unknown, schema: WritingSchema, path: string, faults: Fault[]): string | null {
  if (value === null) return null;
  const reading = readValue("datetime", value, schema);
  if ("value" in reading) return String(reading.value);
  faults.push({ path, ...reading });
  return null;
}

function readData(data: unknown, path: string, faults: Fault[]): EventData {
  if (data === undefined || data === null) return {};
  if (typeof data !== "object" || Array.isArray(data)) {
    faults.push({ path, code: "type", message: "must be a JSON object" });
    return {};
  }
  const fault = dataFault(data, path);
  if (fault === undefined) return data as EventData;
  faults.push(fault);
  return {};
}
