import type { FieldType } from "./lead-field.ts";

export const COLUMN_TYPES = [
  ...(["text", "integer", "number", "boolean", "date", "datetime"] as const),
  ...(["email", "phone", "url", "enum", "json"] as const),
] as const;

/** What a column's cells hold. */
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A column of a dataset. Its values are stored under `slot`, which does not change when the column is renamed. */
export interface Column {
  slot: string;
  key: string;
  label: string;
  type: ColumnType;
  required: boolean;
  unique: boolean;
  options: readonly string[];
}

/** The type of a column for filters. */
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

/** Whether a unique column ignores case and accents when it compares values, as filters do. */
export const isFolded = ({ type }: Pick<Column, "type">): boolean =>
  type === "text" || type === "email" || type === "url";

/** A column as API users see it. */
export const shownColumn = ({ slot: _, ...column }: Column): Omit<Column, "slot"> => column;
