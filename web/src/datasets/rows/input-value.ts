import { clockIn } from "../../words/zone-time.ts";
import { type Column, isBlank } from "../model/dataset.ts";
import { type Reader, type Reading, readText } from "./read-text.ts";

/** What a field of a form holds: a number as it was, or what somebody typed; empty for no value. */
export type InputValue = string | number;

/** A cell as a field edits it; moments as the clocks of the project show them. */
export function inputOf({ type }: Pick<Column, "type">, value: unknown, timezone: string): InputValue {
  if (isBlank(value)) return "";
  if (type === "json") return JSON.stringify(value, undefined, 2);
  if (type === "datetime" && typeof value === "string" && Number.isFinite(Date.parse(value)))
    return clockIn(timezone, value);
  return typeof value === "number" ? value : String(value);
}

/** A field's content as the API takes it; what was not touched stays as it is, to the second. */
export function readInput(column: Column, input: InputValue, before: unknown, how: Reader): Reading {
  if (input === inputOf(column, before, how.timezone)) return { value: before ?? null };
  return typeof input === "number" ? { value: input } : readText(column, input, how);
}

/** Whether a cell's value needs more room to be edited than its line. */
export const needsRoom = ({ type }: Pick<Column, "type">, value: unknown): boolean =>
  type === "json" ||
  (type === "text" && typeof value === "string" && (value.length > 200 || /[\n\r]/.test(value)));
