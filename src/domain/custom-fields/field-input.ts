import type { CustomFieldType } from "../../contract/lists/column-types.ts";
import { INDEX_BUILT_AT, IS_INDEXED } from "../field-index/requested-index.ts";
import { bad, cleanText } from "../values/bad-input.ts";

/** A custom field as JSON text, from a row called `f`. */
export const FIELD_JSON = `json_build_object('key', f.key, 'label', f.label, 'type', f.type, 'options', f.options,
  'description', f.description, 'timeline', f.timeline, 'position', f.position,
  'indexed', ${IS_INDEXED}, 'index_built_at', ${INDEX_BUILT_AT}, 'created_at', f.created_at)::text`;

/** A custom field's definition as jsonb, by which a change that removes or alters it can be undone, from a row called `f`. */
export const DEFINITION = `to_jsonb(f) - 'project_id' || jsonb_build_object('indexed', ${IS_INDEXED})`;

/** Refuses strings that PostgreSQL cannot store, and a label without a letter. `at` is the field's JSON path. */
export function checkTexts(
  input: { label?: string; description?: string | null; options?: readonly string[] },
  at = "$",
): void {
  if (input.label !== undefined && cleanText(input.label, `${at}.label`).trim() === "")
    bad(`${at}.label`, "required", "must not be empty");
  if (typeof input.description === "string") cleanText(input.description, `${at}.description`);
  input.options?.forEach((option, i) => {
    const text = cleanText(option, `${at}.options[${i}]`);
    if (text.trim() !== text || text === "")
      bad(`${at}.options[${i}]`, "white_space", "must not start or end with white space");
  });
}

/** Refuses an index on a field of any type but integer and number. */
export function checkIndexed(type: CustomFieldType, indexed: boolean): void {
  if (indexed && type !== "integer" && type !== "number")
    bad("$.indexed", "unexpected", "is allowed only for the types integer and number");
}

/** Refuses an enum without options or with duplicate ones, and options of any other type. */
export function checkOptions(type: CustomFieldType, options: readonly string[], at = "$"): void {
  if (type !== "enum" && options.length > 0)
    bad(`${at}.options`, "unexpected", "are allowed only for the type enum");
  if (type === "enum" && options.length === 0)
    bad(`${at}.options`, "required", "are required for the type enum");
  if (new Set(options).size < options.length) bad(`${at}.options`, "repeated", "must not have duplicates");
}
