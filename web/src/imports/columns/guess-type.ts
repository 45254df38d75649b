import type { ImportColumn } from "../../../../src/contract/imports/import.ts";
import type { CustomFieldType } from "../../../../src/contract/lists/column-types.ts";

const FORMS: readonly [type: CustomFieldType, form: RegExp][] = [
  ["integer", /^-?\d{1,15}$/],
  ["date", /^\d{4}-\d\d-\d\d$|^\d\d?[/.]\d\d?[/.]\d{4}$/],
  ["datetime", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/],
  ["number", /^-?[\d.,]*\d$/],
  ["boolean", /^(true|false|yes|no)$/i],
  ["email", /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ["url", /^https?:\/\//],
];

/** Returns the type that a column's values suggest. */
export function guessType(column: ImportColumn | undefined): CustomFieldType {
  const { samples = [], values = null, filled = 0 } = column ?? {};
  if (samples.length === 0) return "text";
  const [type] = FORMS.find(([, form]) => samples.every((sample) => form.test(sample.trim()))) ?? [];
  if (type !== undefined) return type;
  return values !== null && values.length <= 8 && filled >= values.length * 5 ? "enum" : "text";
}
