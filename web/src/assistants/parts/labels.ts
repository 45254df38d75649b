import { LEAD_FIELDS } from "../../../../src/contract/lists/lead-fields.ts";
import type { FieldType } from "../../../../src/contract/lists/operators.ts";
import { type FieldKind, kindOf } from "../../records/field-kind.ts";
import type { Locale, Words } from "../../words/use-words.ts";

const FIELDS: ReadonlyMap<string, Words<string> & { type: FieldType }> = new Map(
  LEAD_FIELDS.map((field) => [field.name, field]),
);

/** Fields that answers have in another form than leads: the owner by name. */
const ALSO: Readonly<Record<string, string>> = { owner: "owner_id" };

/** Returns what a field of a lead is called; a custom field, or a column of a dataset, by its key as words. */
export function labelOf(locale: Locale, field: string): string {
  const own = FIELDS.get(Object.hasOwn(ALSO, field) ? (ALSO[field] ?? "") : field);
  return own === undefined ? asWords(field.replace(/^custom\./, "")) : own[locale];
}

/** Returns a key as words: `sold_on` as `Sold on`. */
export function asWords(key: string): string {
  const words = key.replaceAll(/[._]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns how a field's values are written; "text" if it is not a standard field. */
export function fieldKind(field: string): FieldKind {
  const type = FIELDS.get(field)?.type;
  return type === undefined ? "text" : kindOf({ name: field, type, custom: false }, new Map());
}
