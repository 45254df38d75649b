import type { CellType } from "../../contract/lists/column-types.ts";
import type { DateOrder, Decimals } from "../../contract/lists/files.ts";
import { NO_WORDS, YES_WORDS } from "../../contract/lists/opt-outs.ts";
import { folded } from "../../core/folded.ts";
import { givenMoment } from "../../core/moment.ts";
import { missingDay, readDate, type WrittenDate } from "./cell-dates.ts";
import { readNumber } from "./cell-numbers.ts";
import { type CellReader, cellReader, type Reading } from "./cell-readers.ts";
import { unstorable } from "./value.ts";
import { dayStart, zonedMoment } from "./zoned-moment.ts";

/** How the cells of one column are written. */
export interface CellStyle {
  dates: DateOrder;
  decimals: Decimals;
  /** The time zone of days without a time and times without an offset. */
  timezone: string;
  /** Whether a leading apostrophe escapes formulas, as in files made for spreadsheets. */
  escaped: boolean;
  /** The type of a list's entries, unless they are plain text. */
  entries?: CellType | undefined;
}

const fault = (code: string, message: string): Reading => ({ code, message });

/** Returns the reader of a file's cells for a field; it also accepts what people and spreadsheets write. */
export function fileReader(type: CellType, options: readonly string[], style: CellStyle): CellReader {
  const plain = cellReader(type, options);
  const read = kindOf(type, options, style, plain);
  return (text) => {
    const own = style.escaped ? withoutEscape(text) : text;
    if (!own.isWellFormed()) return fault("lone_surrogate", "must be well-formed Unicode");
    return own.includes("\0") ? plain(own) : read(own);
  };
}

/**
 * Removes the apostrophe that stops a spreadsheet from running a formula. The export adds one to any that a value
 * has.
 */
export const withoutEscape = (text: string): string =>
  text.charCodeAt(0) === 39 && /^'+[=+@\t\r-]/.test(text) ? text.slice(1) : text;

function kindOf(type: CellType, options: readonly string[], style: CellStyle, plain: CellReader): CellReader {
  switch (type) {
    case "number":
      return (text) => {
        const value = readNumber(text, style.decimals);
        return value === undefined ? fault("not_a_number", "is not a number") : { value };
      };
    case "integer":
      return (text) => {
        const value = readNumber(text, style.decimals);
        return Number.isSafeInteger(value)
          ? { value: value as number }
          : fault("not_an_integer", "is not an integer");
      };
    case "boolean":
      return (text) => {
        const word = text.toLowerCase();
        if (YES_WORDS.has(word)) return { value: true };
        return NO_WORDS.has(word) ? { value: false } : plain(text);
      };
    case "date":
      return (text) => dayOf(text, style);
    case "datetime":
      return (text) => momentOf(text, style);
    case "list":
      return listReader(plain, style.entries && cellReader(style.entries));
    case "phone":
      // Some programs write an apostrophe that keeps a spreadsheet from reading a number.
      return (text) => plain(text.replace(/^'+(?=[\d(+])/, ""));
    case "enum":
      return anyCase(options, plain);
    default:
      return plain;
  }
}

function dayOf(text: string, { dates }: CellStyle): Reading {
  const read = readDate(text, dates);
  if (read === undefined || (read.timed && read.at % 86_400_000 !== 0)) {
    return fault("not_a_date", missingDay(text, dates) ?? "is not a date, such as 2026-03-31");
  }
  return { value: new Date(read.at).toISOString().slice(0, 10) };
}

function momentOf(text: string, { dates, timezone }: CellStyle): Reading {
  const read = readDate(text, dates);
  const value = read && givenMoment(new Date(instantOf(read, timezone)));
  return value === undefined
    ? fault(
        "not_a_datetime",
        missingDay(text, dates) ?? "is not a timestamp, such as 2026-03-31T14:30:00+00:00",
      )
    : { value };
}

/** A day without a time is its start in the zone; a time without an offset is in the zone. */
function instantOf({ at, timed, offset }: WrittenDate, timezone: string): number {
  if (offset !== null) return at - offset * 60_000;
  return timed ? zonedMoment(at, timezone) : dayStart(at, timezone);
}

const QUOTED = /^"(?:[^"]|"")*"(?:\s*[,;]\s*"(?:[^"]|"")*")*$/;

/** Returns the reader of a list. If `entry` is given, one bad entry makes the list bad. */
function listReader(plain: CellReader, entry?: CellReader): CellReader {
  return (text) => {
    const items = itemsOf(text);
    const list = items === undefined ? plain(text) : listOf(items);
    if (entry === undefined || !("value" in list)) return list;
    for (const [i, item] of (list.value as string[]).entries()) {
      const reading = entry(item);
      if ("code" in reading) return fault(reading.code, `entry ${i}: ${reading.message}`);
    }
    return list;
  };
}

/**
 * Returns the entries of a JSON list (exports write one if an entry holds separators) of a list whose entries
 * are all quoted (Mailchimp's tags), or of one that is separated by `:::`; undefined for entries that are only separated by `;` or `,`.
 */
function itemsOf(text: string): string[] | undefined {
  // Google Contacts separates the entries of a cell by this.
  if (text.includes(" ::: ")) return text.split(" ::: ");
  if (text.startsWith('"') && QUOTED.test(text))
    return [...text.matchAll(/"((?:[^"]|"")*)"/g)].map(([, item = ""]) => item.replaceAll('""', '"'));
  if (!text.startsWith("[")) return undefined;
  try {
    const items: unknown = JSON.parse(text);
    return Array.isArray(items) && items.every((item) => typeof item === "string") ? items : undefined;
  } catch {
    return undefined;
  }
}

function listOf(items: readonly string[]): Reading {
  const own = [...new Set(items.map((item) => item.trim()).filter((item) => item !== ""))];
  if (own.some((item) => item.length > 200))
    return fault("too_long", "must not have an entry of more than 200 characters");
  const bad = own.map(unstorable).find((found) => found !== undefined);
  if (bad !== undefined) return fault(bad.code, bad.message);
  return own.length <= 100 ? { value: own } : fault("too_many", "must have at most 100 entries");
}

/** Returns the reader of options, which are found in any case and with or without accents. */
function anyCase(options: readonly string[], plain: CellReader): CellReader {
  const known = new Map(options.map((option) => [folded(option), option]));
  return (text) => {
    if (options.includes(text)) return { value: text };
    const value = known.get(folded(text));
    return value === undefined ? plain(text) : { value };
  };
}
