import type { InputType } from "../../../contract/lists/lead-fields.ts";
import type { WritingSchema } from "../../fields/writing-schema.ts";
import { cellReader, type Reading } from "../../values/cell-readers.ts";
import { readDatetime } from "../../values/read-datetime.ts";
import type { Value } from "../../values/value.ts";

const MOST_ITEMS = 100;
const LONGEST_TAG = 200;
const OFFSET = /(Z|[+-]\d\d:?\d\d)$/i;
const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

const fault = (code: string, message: string): Reading => ({ code, message });

/**
 * Reads a JSON value for a field by the rules of file cells, except that numbers must be numbers and lists must be
 * lists.
 */
export function readValue(
  type: InputType,
  value: unknown,
  schema: WritingSchema,
  options?: readonly string[],
): Reading {
  switch (type) {
    case "number":
      return typeof value === "number" && Number.isFinite(value)
        ? { value }
        : fault("type", "must be a number");
    case "integer":
      return Number.isSafeInteger(value) ? { value: value as number } : fault("type", "must be an integer");
    case "boolean":
      return typeof value === "boolean" ? { value } : fault("type", "must be true or false");
    case "list":
      return listOf(value, (item) =>
        item.length <= LONGEST_TAG
          ? { value: item }
          : fault("too_long", `must have at most ${LONGEST_TAG} characters`),
      );
    case "emails":
      return listOf(value, cellReader("email"));
    case "phones":
      return listOf(value, cellReader("phone"));
    default:
      return textOf(value, (text) => readText(type, text, schema, options));
  }
}

function readText(
  type: Exclude<InputType, "emails" | "phones">,
  text: string,
  schema: WritingSchema,
  options: readonly string[] | undefined,
): Reading {
  switch (type) {
    case "currency":
      return CURRENCIES.has(text)
        ? { value: text }
        : fault("not_a_currency", "must be an ISO 4217 currency code, such as BRL");
    case "owner":
      return schema.members.has(text)
        ? { value: text }
        : fault("not_a_member", "is not a member of this project");
    case "datetime":
      return OFFSET.test(text) || text.length === 10
        ? readDatetime(text, schema.timezone)
        : fault("not_a_datetime", "must be a timestamp with its offset, such as 2026-03-31T14:30:00+00:00");
    default:
      return cellReader(type, options)(text);
  }
}

/** Reads a string that PostgreSQL can store, trimmed. */
function textOf(value: unknown, read: (text: string) => Reading): Reading {
  if (typeof value !== "string") return fault("type", "must be a string");
  if (!value.isWellFormed()) return fault("lone_surrogate", "must be well-formed Unicode");
  if (value.includes("\0")) return fault("nul", "must not contain the character NUL");
  return read(value.trim());
}

/** Reads a list of distinct strings, in the given order. */
function listOf(value: unknown, read: (item: string) => Reading): Reading {
  if (!Array.isArray(value)) return fault("type", "must be an array of strings");
  if (value.length > MOST_ITEMS) return fault("too_many", `must have at most ${MOST_ITEMS} entries`);
  const items = new Set<Value>();
  for (const [i, item] of value.entries()) {
    const reading = textOf(item, (text) => (text === "" ? fault("empty", "must not be empty") : read(text)));
    if ("code" in reading) return fault(reading.code, `entry ${i}: ${reading.message}`);
    items.add(reading.value);
  }
  return { value: [...items] as string[] };
}
