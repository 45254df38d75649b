import type { Column } from "../../fields/column.ts";
import { cellReader } from "../../values/cell-readers.ts";
import { readDatetime } from "../../values/read-datetime.ts";
import { e164Of } from "../../values/read-phone.ts";

/** A cell as it is stored: JSON, with timestamps in ISO 8601 with offset and phone numbers in E.164. */
export type Cell = string | number | boolean | object;

/** The result of reading a cell: a value, null if blank, or an error. */
type CellReading = { value: Cell | null } | { code: string; message: string };

/** `json` requires JSON numbers; `text` also parses them from strings, as in files. */
export type WrittenAs = "json" | "text";

const LONGEST_TEXT = 20_000;
const LONGEST_URL = 2_000;
const OFFSET = /(Z|[+-]\d\d:?\d\d)$/i;

const fault = (code: string, message: string): CellReading => ({ code, message });

/** The project's country, for phone numbers without country code, and its zone, for plain days. */
export interface Home {
  country: string | null;
  timezone: string;
}

/** Reads a value for a column. */
export function readCell(
  column: Pick<Column, "type" | "options">,
  value: unknown,
  home: Home,
  as: WrittenAs,
): CellReading {
  if (value === null || value === undefined) return { value: null };
  if (column.type === "json") return readJson(value, as);
  if (typeof value === "string") {
    if (!value.isWellFormed()) return fault("lone_surrogate", "must be well-formed Unicode");
    if (value.includes("\0")) return fault("nul", "must not contain the character NUL");
    const text = value.trim();
    return text === "" ? { value: null } : readText(column, text, home, as);
  }
  if (as === "text")
    return readText(column, typeof value === "object" ? JSON.stringify(value) : String(value), home, as);
  return readPlain(column, value);
}

function readPlain({ type }: Pick<Column, "type">, value: unknown): CellReading {
  if (type === "boolean")
    return typeof value === "boolean" ? { value } : fault("type", "must be true or false");
  if (type === "number")
    return typeof value === "number" && Number.isFinite(value)
      ? { value }
      : fault("type", "must be a number");
  if (type === "integer")
    return Number.isSafeInteger(value) ? { value: value as number } : fault("type", "must be an integer");
  return fault("type", "must be a string");
}

function readText(
  { type, options }: Pick<Column, "type" | "options">,
  text: string,
  home: Home,
  as: WrittenAs,
): CellReading {
  switch (type) {
    case "text":
      return text.length <= LONGEST_TEXT
        ? { value: text }
        : fault("too_long", `must have at most ${LONGEST_TEXT} characters`);
    case "url":
      return isUrl(text) ? { value: text } : fault("not_a_url", "must be a URL, such as https://example.org");
    case "phone": {
      const reading = cellReader("phone")(text);
      if ("code" in reading) return reading;
      const number = e164Of(text, home.country);
      return number === null
        ? fault(
            "not_a_phone",
            "is not a phone number; write it with its country code, such as +55 11 91234-5678",
          )
        : { value: number };
    }
    case "boolean":
    case "number":
    case "integer":
      return as === "json" ? readPlain({ type }, text) : cellReader(type)(text);
    case "datetime":
      return as === "text" || OFFSET.test(text)
        ? readDatetime(text, home.timezone)
        : fault("not_a_datetime", "must be a timestamp with its offset, such as 2026-03-31T14:30:00+00:00");
    case "date":
    case "email":
      return cellReader(type)(text);
    case "enum":
      return cellReader(type, options)(text);
    case "json":
      return readJson(text, as);
  }
}

function isUrl(text: string): boolean {
  return text.length <= LONGEST_URL && /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text);
}

/**
 * Accepts any JSON value that PostgreSQL can store. Bodies are limited to 64 levels elsewhere; files are checked
 * here.
 */
function readJson(given: unknown, as: WrittenAs): CellReading {
  let value = given;
  if (as === "text" && typeof given === "string") {
    if (given.trim() === "") return { value: null };
    try {
      value = JSON.parse(given) as unknown;
    } catch {
      return fault("not_json", "is not valid JSON");
    }
  }
  if (value === null) return { value: null };
  const waiting: [part: unknown, depth: number][] = [[value, 1]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [part, depth] = next;
    if (depth > 64) return fault("too_deep", "must not be nested deeper than 64 levels");
    if (typeof part === "string") {
      if (!part.isWellFormed()) return fault("lone_surrogate", "must be well-formed Unicode");
      if (part.includes("\0")) return fault("nul", "must not contain the character NUL");
    } else if (typeof part === "object" && part !== null) {
      for (const [key, inside] of Object.entries(part)) waiting.push([key, depth], [inside, depth + 1]);
    }
  }
  return { value: value as Cell };
}
