import type { CustomField, Field } from "../../../src/contract/fields/fields.ts";

/** How a value is shown and edited. */
export type FieldKind =
  | "text"
  | "email"
  | "phone"
  | "url"
  | "number"
  | "integer"
  | "money"
  | "boolean"
  | "choice"
  | "owner"
  | "list"
  | "day"
  | "moment";

const OWN: Readonly<Record<string, FieldKind>> = {
  value: "money",
  website: "url",
  landing_page: "url",
  owner_id: "owner",
  phone_e164: "phone",
  version: "integer",
};

const BY_TYPE: Readonly<Record<string, FieldKind>> = {
  email: "email",
  phone: "phone",
  url: "url",
  number: "number",
  integer: "integer",
  boolean: "boolean",
  enum: "choice",
  tags: "list",
  date: "moment",
  datetime: "moment",
};

/** Returns the kind of a field; dates in custom fields may be days without a time. */
export function kindOf(
  field: Pick<Field, "name" | "type" | "custom">,
  custom: ReadonlyMap<string, CustomField>,
): FieldKind {
  if (!field.custom) return OWN[field.name] ?? BY_TYPE[field.type] ?? "text";
  const type = custom.get(field.name.slice(7))?.type ?? field.type;
  return type === "date" ? "day" : (BY_TYPE[type] ?? "text");
}
