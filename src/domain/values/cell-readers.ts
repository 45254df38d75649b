import type { CellType } from "../../contract/lists/column-types.ts";
import { givenMoment } from "../../core/moment.ts";
import { missingDay } from "./cell-dates.ts";
import type { Value } from "./value.ts";

/** The result of reading a cell: a value or an error. */
export type Reading = { value: Value } | { code: string; message: string };

export type CellReader = (text: string) => Reading;

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const EMAIL = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+\.[^\s@<>(),;:"\\.]+$/;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?$/i;
const SCIENTIFIC = /^'?[+-]?[\d.,]+ ?e ?[+-]?\d+$/i;
const TRUE = new Set(["true", "yes", "y", "1"]);
const FALSE = new Set(["false", "no", "n", "0"]);

const fault = (code: string, message: string): Reading => ({ code, message });

function textUpTo(most: number): CellReader {
  return (text) =>
    text.length <= most ? { value: text } : fault("too_long", `must have at most ${most} characters`);
}

function number(text: string): Reading {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? { value } : fault("not_a_number", "is not a number");
}

function integer(text: string): Reading {
  const value = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? { value } : fault("not_an_integer", "is not an integer");
}

function boolean(text: string): Reading {
  const word = text.toLowerCase();
  if (TRUE.has(word)) return { value: true };
  return FALSE.has(word)
    ? { value: false }
    : fault("not_a_boolean", "must be a yes or no value, such as true or false");
}

function email(text: string): Reading {
  return text.length <= 254 && EMAIL.test(text)
    ? { value: text }
    : fault("not_an_email", "is not an e-mail address");
}

function phone(text: string): Reading {
  if (SCIENTIFIC.test(text)) {
    return fault("scientific_notation", "was rounded by a spreadsheet; enter all of its digits again");
  }
  return /\d/.test(text) && text.length <= 40
    ? { value: text }
    : fault("not_a_phone", "is not a phone number");
}

function date(text: string): Reading {
  return isDay(text)
    ? { value: text }
    : fault("not_a_date", noDay(text) ?? "is not a date of the form YYYY-MM-DD");
}

function datetime(text: string): Reading {
  if (isDay(text)) return { value: `${text}T00:00:00.000+00:00` };
  const form = MOMENT.exec(text);
  const moment = givenMoment(new Date(form?.[4] === undefined ? `${text}Z` : text));
  if (form === null || !isDay(form[1] ?? "") || moment === undefined) {
    return fault("not_a_datetime", noDay(text) ?? "is not a timestamp of the form YYYY-MM-DDThh:mm:ss+00:00");
  }
  return { value: moment };
}

/** What is wrong with a day that does not exist; undefined for what is not written as one. */
const noDay = (text: string): string | undefined =>
  DAY.test(text.slice(0, 10)) ? missingDay(text, "dmy") : undefined;

function isDay(text: string): boolean {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined || year === "0000") return false;
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(day) && Number(month) <= 12;
}

function list(text: string): Reading {
  const items = [...new Set(text.split(/[,;]/).map((item) => item.trim()))].filter((item) => item !== "");
  if (items.some((item) => item.length > 200))
    return fault("too_long", "must not have an entry of more than 200 characters");
  return items.length <= 100 ? { value: items } : fault("too_many", "must have at most 100 entries");
}

function oneOf(options: readonly string[]): CellReader {
  const known = new Set(options);
  return (text) =>
    known.has(text) ? { value: text } : fault("unknown_option", `must be one of ${options.join(", ")}`);
}

const READERS: Record<CellType, CellReader> = {
  // datasets validate their own text
  raw: (text) => ({ value: text }),
  text: textUpTo(500),
  integer,
  number,
  boolean,
  date,
  datetime,
  email,
  phone,
  url: textUpTo(2_000),
  enum: textUpTo(500),
  list,
};

/**
 * Returns the reader of a field's cells. Text is bounded because a PostgreSQL index entry holds at most 2,704
 * bytes.
 */
export function cellReader(type: CellType, options: readonly string[] = []): CellReader {
  const read = type === "enum" ? oneOf(options) : READERS[type];
  return (text) => (text.includes("\0") ? fault("nul", "must not contain the character NUL") : read(text));
}
