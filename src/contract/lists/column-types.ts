import type { FieldType } from "./operators.ts";

/** The types of a project's custom fields. */
export const CUSTOM_FIELD_TYPES = [
  ...(["text", "integer", "number", "boolean", "date", "datetime"] as const),
  ...(["email", "phone", "url", "enum"] as const),
] as const;

/** The type of a custom field. */
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

/** The types of a dataset's columns. */
export const COLUMN_TYPES = [...CUSTOM_FIELD_TYPES, "json"] as const;

/** What the cells of a dataset's column hold. */
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** The type that a filter knows a column or a custom field by. */
export const TYPE_IN_FILTERS = {
  text: "text",
  integer: "number",
  number: "number",
  boolean: "boolean",
  date: "date",
  datetime: "date",
  email: "email",
  phone: "phone",
  url: "text",
  enum: "enum",
  json: "object",
} as const satisfies Record<ColumnType, FieldType>;

/** How the text of a cell is read. */
export type CellType = CustomFieldType | "raw" | "list";
