import type { Column } from "../../../../src/contract/datasets/dataset.ts";
import { clockIn } from "../../words/zone-time.ts";
import { isBlank } from "../model/dataset.ts";
import { type Reader, type Reading, readText } from "./read-text.ts";

/** The value of an input: the stored number, or what the user typed; empty for no value. */
export type InputValue = string | number;

/** Returns a cell for editing; timestamps in the project's time zone. */
export function inputOf({ type }: Pick<Column, "type">, value: unknown, timezone: string): InputValue {
  if (isBlank(value)) return "";
  if (type === "json") return JSON.stringify(value, undefined, 2);
  if (type === "datetime" && typeof value === "string" && Number.isFinite(Date.parse(value)))
    return clockIn(timezone, value);
  return typeof value === "number" ? value : String(value);
}

/** Reads an input for the API; an untouched timestamp keeps its seconds. */
export function readInput(column: Column, input: InputValue, before: unknown, how: Reader): Reading {
  if (input === inputOf(column, before, how.timezone)) return { value: before ?? null };
  return typeof input === "number" ? { value: input } : readText(column, input, how);
}

/** Whether a cell's value needs more room for editing than its line. */
export const needsRoom = ({ type }: Pick<Column, "type">, value: unknown): boolean =>
  type === "json" ||
  (type === "text" && typeof value === "string" && (value.length > 200 || /[\n\r]/.test(value)));
