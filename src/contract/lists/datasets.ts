import type { ColumnType } from "./column-types.ts";

/** How a dataset's link column identifies leads. */
export const MATCHES = ["email", "phone", "external_id", "lead_id"] as const;
export type Match = (typeof MATCHES)[number];

/** The types of columns that can link to leads, by how they identify them. */
export const LINKING: Readonly<Record<Match, readonly ColumnType[]>> = {
  email: ["email", "text"],
  phone: ["phone"],
  external_id: ["text", "integer", "number"],
  lead_id: ["text"],
};

/** Whether columns of this type can be unique. */
export const mayBeUnique = (type: ColumnType): boolean => type !== "boolean" && type !== "json";

/** What writing rows may do: create them, create or change them, or change them. */
export const ROW_MODES = ["insert", "upsert", "update"] as const;
export type RowMode = (typeof ROW_MODES)[number];

/** The states of a change of columns while it is applied to the rows; afterwards it has none. */
export const SCHEMA_CHANGE_STATES = ["running", "abandoned", "failed"] as const;
export type SchemaChangeState = (typeof SCHEMA_CHANGE_STATES)[number];
