import type { DateOrder } from "../../contract/lists/files.ts";
import { utcDay } from "./zoned-moment.ts";

const NUMBERS = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?=$|[T ,])/;
const YEAR_FIRST = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?=$|[T ,])/;
const DAY_MONTH =
  /^(?:[a-z]{3,9}\.?,? )?(\d{1,2})[ -](?:de )?([a-zç]{3,9})\.?,?[ -](?:de )?(\d{4})(?=$|[T ,])/i;
const MONTH_DAY = /^(?:[a-z]{3,9},? )?([a-z]{3,9})\.? (\d{1,2}),? (\d{4})(?=$|[T ,])/i;
const TIME =
  /^(?:T|,? +)(\d{1,2}):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(?: ?([ap])\.?m\.?)? ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?(?: \([A-Z]+\))?$/i;
const SERIAL = /^\d{5}(\.\d+)?$/;
const EPOCH_MS = /^\d{13}$/;

const MONTHS = [
  ["jan"],
  ["feb", "fev"],
  ["mar"],
  ["apr", "abr"],
  ["may", "mai"],
  ["jun"],
  ["jul"],
  ["aug", "ago"],
  ["sep", "set"],
  ["oct", "out"],
  ["nov"],
  ["dec", "dez"],
];

/** A date as it was written: the day, the time of day if given, and the offset in minutes if given. */
export interface WrittenDate {
  /** Milliseconds since 1970, as if it were UTC. */
  at: number;
  timed: boolean;
  offset: number | null;
}

/**
 * Returns the order of day and month in a text, or "ambiguous"; undefined if it is not a numeric date or both are
 * equal.
 */
export function dateOrderOf(text: string): DateOrder | "ambiguous" | undefined {
  const [, a, , b] = NUMBERS.exec(text) ?? [];
  if (a === undefined || a === b) return undefined;
  if (Number(a) > 12) return "dmy";
  return Number(b) > 12 ? "mdy" : "ambiguous";
}

/** Reads a date in the usual spellings; undefined if it is not a date in this order. */
export function readDate(text: string, order: DateOrder): WrittenDate | undefined {
  if (SERIAL.test(text)) return fromSerial(Number(text));
  if (EPOCH_MS.test(text)) return { at: Number(text), timed: true, offset: 0 };
  const [length, year, month, day] = dayOf(text, order);
  if (length === 0 || !isReal(year, month, day)) return undefined;
  const at = utcDay(year, month - 1, day);
  const rest = text.slice(length);
  if (rest === "") return { at, timed: false, offset: null };
  const time = timeOf(rest);
  return time === undefined ? undefined : { at: at + time.ms, timed: true, offset: time.offset };
}

/** What is wrong with a date that names a day which no calendar has, such as 31/02/2026; undefined for all others. */
export function missingDay(text: string, order: DateOrder): string | undefined {
  const [length, year, month, day] = dayOf(text, order);
  if (length === 0 || month === 0 || isReal(year, month, day)) return undefined;
  return `is a day that does not exist: day ${day} of month ${month}, ${year}`;
}

function isReal(year: number, month: number, day: number): boolean {
  const made = new Date(utcDay(year, month - 1, day));
  return year > 0 && made.getUTCMonth() === month - 1 && made.getUTCDate() === day;
}

function dayOf(text: string, order: DateOrder): [length: number, year: number, month: number, day: number] {
  let found = YEAR_FIRST.exec(text);
  if (found !== null) return [found[0].length, Number(found[1]), Number(found[3]), Number(found[4])];
  found = NUMBERS.exec(text);
  if (found !== null) {
    const [all, a, , b, year = ""] = found;
    const [day, month] = order === "dmy" ? [a, b] : [b, a];
    return [all.length, yearOf(year), Number(month), Number(day)];
  }
  found = DAY_MONTH.exec(text);
  if (found !== null) return [found[0].length, Number(found[3]), monthOf(found[2]), Number(found[1])];
  found = MONTH_DAY.exec(text);
  if (found !== null) return [found[0].length, Number(found[3]), monthOf(found[1]), Number(found[2])];
  return [0, 0, 0, 0];
}

/** Two-digit years are 1970 to 2069. */
const yearOf = (text: string): number =>
  text.length === 4 ? Number(text) : Number(text) + (Number(text) < 70 ? 2_000 : 1_900);

const monthOf = (word = ""): number =>
  MONTHS.findIndex((names) => names.includes(word.toLowerCase().slice(0, 3))) + 1;

function timeOf(text: string): { ms: number; offset: number | null } | undefined {
  const [all, hour, minute, second = "0", fraction = "", half, zone] = TIME.exec(text) ?? [];
  if (all === undefined || Number(minute) > 59 || Number(second) > 59) return undefined;
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  if (hours > 23 || (half !== undefined && Number(hour) > 12)) return undefined;
  const ms = (hours * 3_600 + Number(minute) * 60 + Number(second)) * 1_000;
  return {
    ms: ms + Math.trunc(Number(`0${fraction}`) * 1_000),
    offset: zone === undefined ? null : offsetOf(zone),
  };
}

function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
}

/** Reads a spreadsheet's day number: 1 is 1 January 1900, in a calendar that wrongly has a 29 February 1900. */
function fromSerial(days: number): WrittenDate | undefined {
  if (days < 10_000 || days >= 80_000) return undefined;
  const ms = Math.round((days - 25_569) * 86_400) * 1_000;
  return { at: ms, timed: ms % 86_400_000 !== 0, offset: null };
}
