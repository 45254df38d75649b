import { givenMoment } from "../../core/moment.ts";
import { cellReader, type Reading } from "./cell-readers.ts";
import { dayStart } from "./zoned-moment.ts";

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** Reads a timestamp in its given spelling. A plain day is its start in the project's zone, as in filters. */
export function readDatetime(text: string, timezone: string): Reading {
  const reading = cellReader("datetime")(text);
  if ("code" in reading || !isDay(text)) return reading;
  const value = givenMoment(new Date(dayStart(Date.parse(text), timezone)));
  return value === undefined
    ? { code: "not_a_datetime", message: "is not between the years 1 and 9999 in UTC" }
    : { value };
}
