import { type CustomFieldType, TYPE_IN_FILTERS } from "../../contract/lists/column-types.ts";
import type { FieldType } from "../../contract/lists/operators.ts";
import type { Field } from "./lead-field.ts";

/** What an index is for: sorting, ranges and equality, or texts in which a text occurs. */
export type IndexKind = "order" | "parts";

/** How the value of an index is made of a field's value; see indexed_value() in the database. */
export type IndexForm = "folded" | "exact" | "domain" | "number" | "moment" | "day";

/** The name of the index over the domain of the e-mail. */
export const EMAIL_DOMAIN = "email@";

const FORMS: Readonly<Record<FieldType, IndexForm | undefined>> = {
  text: "folded",
  email: "folded",
  phone: "folded",
  number: "number",
  boolean: "exact",
  enum: "exact",
  id: "exact",
  date: "moment",
  tags: undefined,
  object: undefined,
};

/** Returns how an index of this kind has a field's values; undefined if a field of this type has no such index. */
export function formOf({ type, key, ofDeleted }: Field, kind: IndexKind): IndexForm | undefined {
  const form = ofDeleted === true ? undefined : FORMS[type];
  if (kind === "parts") return form === "folded" ? form : undefined;
  return form === "moment" && key !== undefined ? "day" : form;
}

/** Whether indexes have the values of custom fields of both types alike. */
export const comparesAlike = (one: CustomFieldType, other: CustomFieldType): boolean =>
  FORMS[TYPE_IN_FILTERS[one]] === FORMS[TYPE_IN_FILTERS[other]];

/** Returns the table that has the values of an index. */
export function tableOf(kind: IndexKind, form: IndexForm): string {
  if (kind === "parts") return "lead_parts";
  if (form === "number") return "lead_order_number";
  return form === "moment" || form === "day" ? "lead_order_moment" : "lead_order_text";
}
