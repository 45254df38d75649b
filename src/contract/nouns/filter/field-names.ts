import { Type } from "typebox";
import { oneOf } from "./one-of.ts";

const TEXT = [
  ...(["name", "first_name", "last_name", "company", "job_title", "website"] as const),
  ...(["city", "state", "country", "language", "lifecycle_stage", "currency", "lost_reason"] as const),
  ...(["source", "medium", "campaign"] as const),
  ...(["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const),
  ...(["landing_page", "consent_status", "consent_basis"] as const),
] as const;
const EMAIL = ["email"] as const;
const PHONE = ["phone"] as const;
const NUMBER = ["score", "value", "version"] as const;
const BOOLEAN = ["do_not_contact"] as const;
const ENUM = ["status"] as const;
const ID = ["id", "external_id", "phone_e164", "owner_id", "import_id", "merged_into_id"] as const;
const TAGS = ["emails", "phones", "tags"] as const;
const DATE = [
  ...(["first_touch", "last_touch", "consent_at", "last_activity_at"] as const),
  ...(["created_at", "updated_at", "deleted_at"] as const),
] as const;
const OBJECT = ["custom"] as const;
const SCALAR = [...TEXT, ...EMAIL, ...PHONE, ...NUMBER, ...BOOLEAN, ...ENUM, ...ID, ...DATE] as const;

export const TextFieldName = oneOf(TEXT, { $id: "TextFieldName", description: "A field that holds text." });

export const EmailFieldName = oneOf(EMAIL, {
  $id: "EmailFieldName",
  description: "A field that holds an e-mail address.",
});

export const PhoneFieldName = oneOf(PHONE, {
  $id: "PhoneFieldName",
  description: "A field that holds a phone number.",
});

export const NumberFieldName = oneOf(NUMBER, {
  $id: "NumberFieldName",
  description: "A field that holds a number.",
});

export const BooleanFieldName = oneOf(BOOLEAN, {
  $id: "BooleanFieldName",
  description: "A field that holds true or false.",
});

export const EnumFieldName = oneOf(ENUM, {
  $id: "EnumFieldName",
  description: "A field that holds one of the project's values.",
});

export const IdFieldName = oneOf(ID, {
  $id: "IdFieldName",
  description: "A field that holds an id or another value that is compared verbatim.",
});

export const TagsFieldName = oneOf(TAGS, {
  $id: "TagsFieldName",
  description: "A field that holds a list of texts.",
});

export const DateFieldName = oneOf(DATE, {
  $id: "DateFieldName",
  description: "A field that holds a timestamp.",
});

/** Names that a lead shows. */
export const StandardFieldName = oneOf([...SCALAR, ...TAGS, ...OBJECT], {
  $id: "StandardFieldName",
  description: "A field that every lead has.",
});

export const CustomFieldName = Type.Unsafe<`custom.${string}`>(
  Type.String({
    $id: "CustomFieldName",
    pattern: "^custom\\..+$",
    maxLength: 200,
    description: "A custom field of the project, custom.<key>.",
    examples: ["custom.plan"],
  }),
);

export const FieldName = Type.Union([StandardFieldName, CustomFieldName], {
  $id: "FieldName",
  description: "A field of a lead: standard, or custom.<key>.",
});

export const SortFieldName = Type.Union([oneOf(SCALAR), CustomFieldName], {
  $id: "SortFieldName",
  description: "A field that leads can be sorted by, and figures computed of: any but lists and custom.",
});

export const GroupFieldName = Type.Union([oneOf([...SCALAR, ...TAGS]), CustomFieldName], {
  $id: "GroupFieldName",
  description: "A field that leads can be grouped by: any but custom.",
});
