import type { ColumnRule } from "../../../contract/imports/import-mapping.ts";
import type { Reading } from "../../values/cell-readers.ts";
import { countryCode } from "../../values/country-code.ts";

/** Reads a cell's text; undefined leaves the field blank. */
export type TextReader = (text: string) => Reading | undefined;

/** Returns a reader that does what a column's rule says of values. */
export function ruledReader(read: TextReader, { unknown, without, codes }: ColumnRule): TextReader {
  let ruled = read;
  if (unknown === "blank") ruled = blankIfUnknown(ruled);
  if (without !== undefined) ruled = withoutEntries(ruled, without);
  return codes === true ? asCountryCode(ruled) : ruled;
}

/** The faults of values that a field does not have. */
const UNKNOWN: ReadonlySet<string> = new Set(["unknown_option", "not_a_member"]);

const blankIfUnknown =
  (read: TextReader): TextReader =>
  (text) => {
    const reading = read(text);
    return reading !== undefined && "code" in reading && UNKNOWN.has(reading.code) ? undefined : reading;
  };

/** Reads the names of countries as their codes. */
const asCountryCode =
  (read: TextReader): TextReader =>
  (text) =>
    read(countryCode(text) ?? text);

/** Leaves out the entries of a list that start with a text. */
const withoutEntries =
  (read: TextReader, start: string): TextReader =>
  (text) => {
    const reading = read(text);
    if (reading === undefined || !("value" in reading) || !Array.isArray(reading.value)) return reading;
    const left = reading.value.filter((entry) => !entry.startsWith(start));
    return left.length === 0 ? undefined : { value: left };
  };
