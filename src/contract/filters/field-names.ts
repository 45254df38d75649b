import { type Static, Type } from "typebox";
import { oneOf } from "../basics/constants.ts";
import { MEANING_FIELD } from "../lists/figures.ts";
import { LEAD_FIELDS, leadFieldsOf } from "../lists/lead-fields.ts";

/** The fields with one value. */
const SCALARS = [
  ...[...leadFieldsOf("text"), ...leadFieldsOf("email"), ...leadFieldsOf("phone")],
  ...[...leadFieldsOf("number"), ...leadFieldsOf("boolean"), ...leadFieldsOf("enum")],
  ...[...leadFieldsOf("id"), ...leadFieldsOf("date")],
];

export const TextFieldName = oneOf(leadFieldsOf("text"), {
  $id: "TextFieldName",
  description: "A field that holds text.",
});

export const EmailFieldName = oneOf(leadFieldsOf("email"), {
  $id: "EmailFieldName",
  description: "A field that holds an e-mail address.",
});

export const PhoneFieldName = oneOf(leadFieldsOf("phone"), {
  $id: "PhoneFieldName",
  description: "A field that holds a phone number.",
});

export const NumberFieldName = oneOf(leadFieldsOf("number"), {
  $id: "NumberFieldName",
  description: "A field that holds a number.",
});

export const BooleanFieldName = oneOf(leadFieldsOf("boolean"), {
  $id: "BooleanFieldName",
  description: "A field that holds true or false.",
});

export const EnumFieldName = oneOf([...leadFieldsOf("enum"), MEANING_FIELD], {
  $id: "EnumFieldName",
  description: "A field that holds one of the project's values; status_meaning is open, won or lost.",
});

export const IdFieldName = oneOf(leadFieldsOf("id"), {
  $id: "IdFieldName",
  description: "A field that holds an id or another value that is compared verbatim.",
});

export const TagsFieldName = oneOf(leadFieldsOf("tags"), {
  $id: "TagsFieldName",
  description: "A field that holds a list of texts.",
});

export const DateFieldName = oneOf(leadFieldsOf("date"), {
  $id: "DateFieldName",
  description: "A field that holds a timestamp.",
});

const StandardFieldName = oneOf(
  LEAD_FIELDS.map(({ name }) => name),
  {
    $id: "StandardFieldName",
    description: "A field that every lead has; custom holds the custom fields.",
  },
);

/** The standard fields that filters are offered. */
export const AskedFieldName = oneOf(LEAD_FIELDS.flatMap(({ name, ofDeleted }) => (ofDeleted ? [] : [name])));

export const CustomFieldName = Type.Unsafe<`custom.${string}`>(
  Type.String({
    $id: "CustomFieldName",
    pattern: "^custom\\..+$",
    maxLength: 200,
    description: "A custom field of the project, custom.{key}.",
    examples: ["custom.plan"],
  }),
);

export const FieldName = Type.Union([StandardFieldName, CustomFieldName], {
  $id: "FieldName",
  description: "A field of a lead: standard, or custom.{key}.",
});
export type FieldName = Static<typeof FieldName>;

export const ScalarFieldName = Type.Union([oneOf(SCALARS), CustomFieldName], {
  $id: "ScalarFieldName",
  description: "A field with one value, which leads can be sorted by: any but lists and custom.",
});
export type ScalarFieldName = Static<typeof ScalarFieldName>;

/** Leads of a search can be sorted by relevance, too, and deleted ones by when they were deleted. */
export const SortFieldName = Type.Union([oneOf([...SCALARS, "deleted_at", "relevance"]), CustomFieldName], {
  $id: "SortFieldName",
  description: "A field that leads can be sorted by, or relevance; deleted_at only with deleted.",
});

export const GroupFieldName = Type.Union([oneOf([...SCALARS, ...leadFieldsOf("tags")]), CustomFieldName], {
  $id: "GroupFieldName",
  description: "A field that leads can be grouped by: any but custom.",
});
export type GroupFieldName = Static<typeof GroupFieldName>;
