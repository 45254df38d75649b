import type { ColumnType } from "./column-types.ts";

/** How the link column of a dataset identifies leads. */
export const MATCHES = ["email", "phone", "external_id", "lead_id"] as const;
export type Match = (typeof MATCHES)[number];

/** The types of columns that can link to leads, by what they match. */
export const LINKING_TYPES: Readonly<Record<Match, readonly ColumnType[]>> = {
  email: ["email", "text"],
  phone: ["phone"],
  external_id: ["text", "integer", "number"],
  lead_id: ["text"],
};

/** The types of columns that cannot be unique. */
export const NEVER_UNIQUE: readonly ColumnType[] = ["boolean", "json"];
