import type { FieldType } from "./lead-field.ts";

const EMPTY = ["is_empty", "is_not_empty"];
const EXACT = ["eq", "neq", "in", "not_in", ...EMPTY];
const TEXT = [...EXACT, "contains", "not_contains", "starts_with", "ends_with"];

/** The operators of each type of field. */
export const OPERATORS: Record<FieldType, readonly string[]> = {
  text: TEXT,
  email: [...TEXT, "domain_in"],
  phone: TEXT,
  number: ["eq", "neq", "gt", "gte", "lt", "lte", "between", "in", "not_in", ...EMPTY],
  boolean: ["eq", ...EMPTY],
  enum: EXACT,
  id: EXACT,
  tags: ["has_any", "has_all", "has_none", ...EMPTY],
  date: [
    ...["eq", "before", "after", "on_or_before", "on_or_after", "between"],
    ...["in_last", "not_in_last", "in_next", "older_than", "in_period", ...EMPTY],
  ],
  object: EMPTY,
};

const POSITIVE: Record<string, string> = {
  neq: "eq",
  not_in: "in",
  not_contains: "contains",
  has_none: "has_any",
  not_in_last: "in_last",
  is_not_empty: "is_empty",
};

/**
 * Returns the positive counterpart of an operator. A negative operator is its complement, so it also matches empty
 * values.
 */
export function positiveOf(op: string): { op: string; negated: boolean } {
  const positive = POSITIVE[op];
  return positive === undefined ? { op, negated: false } : { op: positive, negated: true };
}
