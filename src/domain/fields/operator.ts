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
