import type { FieldType as AnyType, Operator } from "../../../../src/contract/lists/operators.ts";
import { PERIODS, UNITS } from "../../../../src/contract/lists/time.ts";
import type { DataType } from "./part.ts";
import { takesNoValue } from "./write-filter.ts";

/** The types with conditions in the panel: all but objects. */
export type FieldType = Exclude<AnyType, "object">;

/** A field that a condition can use. */
export interface AskField {
  name: string;
  label: string;
  type: FieldType;
  operators: readonly string[];
  options: readonly string[] | null;
  custom: boolean;
}

const EMPTY: readonly Operator[] = ["is_empty", "is_not_empty"];
const EXACT: readonly Operator[] = ["eq", "neq", "in", "not_in", ...EMPTY];
const TEXT: readonly Operator[] = [
  "contains",
  "not_contains",
  "eq",
  "neq",
  "starts_with",
  "ends_with",
  "in",
  "not_in",
  ...EMPTY,
];
const DATES: readonly Operator[] = [
  "in_last",
  "in_period",
  "eq",
  "before",
  "after",
  "on_or_before",
  "on_or_after",
  "between",
];

/** The operators of each type of field, the default first. */
export const OPERATORS: Readonly<Record<FieldType, readonly Operator[]>> = {
  text: TEXT,
  email: [...TEXT.slice(0, -2), "domain_in", ...EMPTY],
  phone: TEXT,
  number: ["gte", "gt", "lte", "lt", "between", "eq", "neq", "in", "not_in", ...EMPTY],
  boolean: ["eq", ...EMPTY],
  enum: ["in", "not_in", "eq", "neq", ...EMPTY],
  id: EXACT,
  tags: ["has_any", "has_all", "has_none", ...EMPTY],
  date: [...DATES, "older_than", "not_in_last", "in_next", ...EMPTY],
};

/** How the value of an operator is edited, for each type. */
export type Editor =
  | "none"
  | "text"
  | "number"
  | "numbers"
  | "range"
  | "boolean"
  | "one"
  | "several"
  | "day"
  | "days"
  | "span"
  | "period"
  | "json";

const DATE_EDITORS: Readonly<Record<string, Editor>> = {
  between: "days",
  in_last: "span",
  not_in_last: "span",
  in_next: "span",
  older_than: "span",
  in_period: "period",
};

/** Operators that only dates have. */
export const DATE_EDITOR_OPS: ReadonlySet<string> = new Set(
  [...DATES, "older_than", "not_in_last", "in_next"].filter((op) => op !== "eq" && op !== "between"),
);

/** The editor for a type and an operator, regardless of the current value. */
function usualEditor(type: FieldType, op: string): Editor {
  if (takesNoValue(op)) return "none";
  if (type === "date") return DATE_EDITORS[op] ?? "day";
  if (type === "boolean") return "boolean";
  if (type === "number") return op === "between" ? "range" : /in$/.test(op) ? "numbers" : "number";
  if (type === "tags" || ["in", "not_in", "domain_in"].includes(op)) return "several";
  return ["eq", "neq"].includes(op) ? "one" : "text";
}

/** More values than these are edited as JSON. */
const MOST_SHOWN = 200;

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isPair = (value: unknown, each: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length === 2 && value.every(each);
const isSet = (value: unknown, each: (item: unknown) => boolean): boolean =>
  Array.isArray(value) &&
  value.length <= MOST_SHOWN &&
  value.every(each) &&
  new Set(value).size === value.length;

const FITS: Readonly<Record<Editor, (value: unknown) => boolean>> = {
  none: (value) => value === null,
  text: isText,
  one: isText,
  number: isNumber,
  boolean: (value) => typeof value === "boolean",
  numbers: (value) => isSet(value, isNumber),
  several: (value) => isSet(value, (item) => isText(item) && item.trim() === item && item !== ""),
  range: (value) => isPair(value, isNumber),
  day: isText,
  days: (value) => isPair(value, isText),
  span: (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.keys(value).sort().join() === "n,unit" &&
    "n" in value &&
    "unit" in value &&
    isNumber(value.n) &&
    UNITS.some((unit) => unit === value.unit),
  period: (value) => isText(value) && PERIODS.some((period) => period === value),
  json: () => true,
};

/** The editor for the current value; JSON if the usual editor could not show all of it. */
export function editorFor(type: FieldType, op: string, value: unknown): Editor {
  const usual = usualEditor(type, op);
  return value === undefined || FITS[usual](value) ? usual : "json";
}

/** Converts a value for another operator: unchanged if it fits, otherwise the closest match, otherwise none yet. */
export function carried(type: FieldType, op: string, value: unknown): unknown {
  const editor = usualEditor(type, op);
  if (editor === "none") return undefined;
  if (value !== undefined && value !== null && FITS[editor](value)) return value;
  if (editor === "several" && isText(value) && value.trim() !== "") return [value.trim()];
  if (editor === "numbers" && isNumber(value)) return [value];
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  if (first !== undefined && FITS[editor](first)) return first;
  if (editor === "boolean") return true;
  if (editor === "span") return { n: 30, unit: "day" };
  return editor === "period" ? "this_month" : undefined;
}

const has = (type: FieldType, op: string): boolean => OPERATORS[type].some((each) => each === op);

/** The type of an event's data for an operator and a value, as the service determines it. */
export function dataTypeOf(op: string, value: unknown): DataType {
  const example: unknown = Array.isArray(value) ? value[0] : value;
  if ((op === "eq" || op === "neq") && isText(value) && /^\d{4}-\d\d-\d\d(T|$)/.test(value)) return "date";
  if (has("text", op))
    return isNumber(example) ? "number" : typeof example === "boolean" ? "boolean" : "text";
  if (op === "between") return isText(example) ? "date" : "number";
  if (has("date", op)) return "date";
  return has("number", op) ? "number" : "text";
}
