import type { FieldType } from "./lead-field.ts";

export const COLUMN_TYPES = [
  ...(["text", "integer", "number", "boolean", "date", "datetime"] as const),
  ...(["email", "phone", "url", "enum", "json"] as const),
] as const;

/** What a column's cells hold. */
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A column of a dataset. Its values stand under `slot` in the cells of a row, whatever it is called by then. */
export interface Column {
  slot: string;
  key: string;
  label: string;
  type: ColumnType;
  required: boolean;
  unique: boolean;
  options: readonly string[];
}

/** What filters may ask of a column. */
export const FIELD_TYPES: Readonly<Record<ColumnType, FieldType>> = {
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
};

/** Whether two values that differ by case and accents alone are the same to a unique column, as they are to filters. */
export const isFolded = ({ type }: Pick<Column, "type">): boolean =>
  type === "text" || type === "email" || type === "url";

/** A column as the outside sees it. */
export const shownColumn = ({ slot: _, ...column }: Column): Omit<Column, "slot"> => column;
