const EMPTY = ["is_empty", "is_not_empty"] as const;
const EXACT = ["eq", "neq", "in", "not_in", ...EMPTY] as const;
const TEXT = [...EXACT, "contains", "not_contains", "starts_with", "ends_with"] as const;

/** The operators of a filter, by the type of the field. */
export const OPERATORS = {
  text: TEXT,
  email: [...TEXT, "domain_in"],
  phone: TEXT,
  number: ["eq", "neq", "gt", "gte", "lt", "lte", "between", "in", "not_in", ...EMPTY],
  boolean: ["eq", ...EMPTY],
  enum: EXACT,
  id: EXACT,
  tags: ["has_any", "has_all", "has_none", ...EMPTY],
  date: [
    ...(["eq", "before", "after", "on_or_before", "on_or_after", "between"] as const),
    ...(["in_last", "not_in_last", "in_next", "older_than", "in_period", ...EMPTY] as const),
  ],
  object: EMPTY,
} as const satisfies Record<string, readonly string[]>;

/** The type of a field, which decides its operators. */
export type FieldType = keyof typeof OPERATORS;

/** The name of an operator. */
export type Operator = (typeof OPERATORS)[FieldType][number];

/** The operators of fields of this type. */
export type OperatorOf<T extends FieldType> = (typeof OPERATORS)[T][number];

/** Whether fields of this type have the operator. */
export const hasOperator = (type: FieldType, op: string): boolean =>
  (OPERATORS[type] as readonly string[]).includes(op);

/** The operators of conditions on a number of matches. */
export const COUNT_OPERATORS = ["eq", "neq", "gt", "gte", "lt", "lte", "between"] as const;
export type CountOperator = (typeof COUNT_OPERATORS)[number];

/** Which event of a type a condition looks at. */
export const PICKS = ["any", "first", "last"] as const;
export type EventPick = (typeof PICKS)[number];
