import type { InputType } from "../../../contract/lists/lead-fields.ts";
import { NEW_LEAD_VALUES, WRITABLE } from "../../../contract/lists/written-fields.ts";
import { type Fault, malformed, Refusal } from "../../../core/refusal.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";
import { FIELD_BY_NAME } from "../../fields/lead-field.ts";
import type { CustomPatch, LeadPatch } from "../../fields/lead-input.ts";
import {
  isOtherSchema,
  knownWritingSchema,
  type WritingSchema,
  writingSchema,
} from "../../fields/writing-schema.ts";
import { checked, type MemberContext } from "../../operation/operation.ts";
import { e164Of, keptPhone } from "../../values/read-phone.ts";
import type { Value } from "../../values/value.ts";
import { readValue } from "./read-value.ts";

/** Reads input with the project schema that it needs. Errors are reported only to authorized callers. */
export async function readWith<T>(
  { service, db, caller }: MemberContext,
  given: readonly unknown[],
  read: (schema: WritingSchema) => T,
  gives?: "addresses",
): Promise<T> {
  const schema = await writingSchema({ service, db }, caller.projectId, given, gives);
  return await checked({ db }, () => read(schema));
}

/**
 * The same, and writes what was read. If the schema was read before, that one is used, and `check` has to be sent ahead of
 * what is written, in its transaction: if the schema is another one now, nothing is written, and all is done again.
 */
export async function writeWith<Patch, Written>(
  context: MemberContext,
  given: readonly unknown[],
  read: (schema: WritingSchema) => Patch,
  write: (patch: Patch, check: readonly Statement[]) => Promise<Written>,
  gives?: "addresses",
): Promise<Written> {
  const { service, caller } = context;
  const known = knownWritingSchema(service, caller.projectId, given, gives);
  const patch = known && acceptable(() => read(known.schema));
  if (known !== undefined && patch !== undefined) {
    try {
      return await write(patch, known.check);
    } catch (error) {
      if (!isOtherSchema(error)) throw error;
    }
  }
  return await write(await readWith(context, given, read, gives), []);
}

/** What is refused by a schema that was read before may fit the present one. */
function acceptable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

const MOST_FAULTS = 20;

/**
 * Reads a lead that a caller writes. Unknown or read-only keys are refused with 400, invalid values with 422.
 * Strings are trimmed, empty strings become null, and a phone also sets its E.164 form.
 */
export const readLead = (input: unknown, schema: WritingSchema, path = "$"): LeadPatch =>
  readFields(input, schema, path, false);

/** Reads a lead that a caller creates, which may say when it came in. */
export const readNew = (input: unknown, schema: WritingSchema, path = "$"): LeadPatch =>
  readFields(input, schema, path, true);

function readFields(input: unknown, schema: WritingSchema, path: string, isNew: boolean): LeadPatch {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw malformed([{ path, code: "type", message: "must be a JSON object" }]);
  const patch: LeadPatch = {};
  const unknown: Fault[] = [];
  const unfit: Fault[] = [];
  for (const [name, value] of Object.entries(input)) {
    const at = `${path}.${name.slice(0, 60).toWellFormed()}`;
    const type = WRITABLE.get(name);
    if (name === "custom") patch.custom = readCustom(value, schema, at, unfit);
    else if (isNew && name === "created_at") patch.created_at = readCreated(value, schema, at, unfit);
    else if (type === undefined) unknown.push({ path: at, ...unknownFieldFault(name) });
    else patch[name] = fieldValue(type, name, value, schema, at, unfit);
  }
  if (unknown.length > 0) throw malformed([...unknown, ...unfit].slice(0, MOST_FAULTS));
  if (unfit.length > 0) throw unprocessable(unfit.slice(0, MOST_FAULTS));
  if (patch.phone !== undefined)
    patch.phone_e164 = typeof patch.phone === "string" ? e164Of(patch.phone, schema.country) : null;
  return patch;
}

/** Returns the refusal (422) for invalid values; its message repeats the first fault. */
export function unprocessable(faults: Fault[]): Refusal {
  const [first] = faults;
  const message = first === undefined ? "The lead has invalid values." : `${first.path}: ${first.message}`;
  return new Refusal("unprocessable", first?.code ?? "invalid_lead", message, { faults });
}

/** Earlier leads are mistakes of the system that they come from, such as a time of zero. */
const FIRST_DAY = Date.UTC(1970, 0, 1);

/** How far the clock of another system may be ahead. */
const AHEAD = 5 * 60_000;

/** Why a lead cannot have been created at this time; undefined if it can. */
export function createdFault(at: string, now: Date): { code: string; message: string } | undefined {
  const time = Date.parse(at);
  if (time < FIRST_DAY) return { code: "too_early", message: "must not be before 1970-01-01" };
  if (time > now.getTime() + AHEAD) return { code: "in_future", message: "must not be in the future" };
  return undefined;
}

function readCreated(value: unknown, schema: WritingSchema, path: string, unfit: Fault[]): Value | null {
  if (isEmpty(value)) return null;
  const reading = readValue("datetime", value, schema);
  const fault = "code" in reading ? reading : createdFault(String(reading.value), schema.now);
  if (fault !== undefined) unfit.push({ path, code: fault.code, message: fault.message });
  return "value" in reading ? reading.value : null;
}

function unknownFieldFault(name: string): { code: string; message: string } {
  if (name === "created_at")
    return { code: "read_only", message: "can be written only when the lead is created" };
  if (FIELD_BY_NAME.has(name))
    return { code: "read_only", message: "is set by the service and cannot be written" };
  if (name.startsWith("custom."))
    return { code: "unknown_key", message: 'must be inside "custom": {"custom": {"key": …}}' };
  return { code: "unknown_key", message: "is not a field of a lead" };
}

function fieldValue(
  type: InputType,
  name: string,
  value: unknown,
  schema: WritingSchema,
  path: string,
  unfit: Fault[],
): Value | null {
  const empty = isEmpty(value);
  if (empty && name !== "status") return NEW_LEAD_VALUES[name] ?? null;
  const reading = empty
    ? { code: "required", message: `must not be empty; it must be one of ${schema.statuses.join(", ")}` }
    : readValue(type, value, schema, schema.statuses);
  if ("value" in reading) return reading.value;
  unfit.push({ path, code: reading.code, message: reading.message });
  return null;
}

function readCustom(input: unknown, schema: WritingSchema, path: string, unfit: Fault[]): CustomPatch {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    unfit.push({ path, code: "type", message: "must be a JSON object with values of custom fields by key" });
    return {};
  }
  const values: [string, Value | null][] = [];
  for (const [key, value] of Object.entries(input)) {
    const at = `${path}.${key.slice(0, 60).toWellFormed()}`;
    const field = schema.custom.get(key);
    if (field === undefined) {
      unfit.push({ path: at, code: "unknown_field", message: "is not a custom field of this project" });
    } else if (isEmpty(value)) values.push([key, null]);
    else {
      const reading = readValue(field.type, value, schema, field.options);
      if ("value" in reading) values.push([key, kept(field.type, reading.value, schema)]);
      else unfit.push({ path: at, code: reading.code, message: reading.message });
    }
  }
  return Object.fromEntries(values);
}

const kept = (type: InputType, value: Value, { country }: WritingSchema): Value =>
  type === "phone" ? keptPhone(String(value), country) : value;

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === "string" && value.trim() === "");
