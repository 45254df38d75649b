import type { Detail } from "../../api/api-error.ts";

/** The types of a column. */
export const COLUMN_TYPES = [
  ...(["text", "integer", "number", "boolean", "date", "datetime"] as const),
  ...(["email", "phone", "url", "enum", "json"] as const),
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export interface Column {
  key: string;
  label: string;
  type: ColumnType;
  required: boolean;
  unique: boolean;
  options: readonly string[];
}

export const MATCHES = ["email", "phone", "external_id", "lead_id"] as const;
export type Match = (typeof MATCHES)[number];

export interface LeadLink {
  column: string;
  match: Match;
}

/** A dataset as the API returns it. */
export interface Dataset {
  id: string;
  key: string;
  name: string;
  columns: readonly Column[];
  key_column: string | null;
  lead_link: LeadLink | null;
  change: { state: "running" | "abandoned" | "failed"; details: readonly Detail[] } | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/** A row: its columns by key, plus the fields that every row has. */
export type Row = Readonly<Record<string, unknown>> & {
  _id: string;
  _lead_id: string | null;
  _version: number;
};

/** The column types that can be matched with each lead field. */
export const LINKING: Readonly<Record<Match, readonly ColumnType[]>> = {
  email: ["email", "text"],
  phone: ["phone"],
  external_id: ["text", "integer", "number"],
  lead_id: ["text"],
};

/** Whether columns of this type can be unique. */
export const mayBeUnique = (type: ColumnType): boolean => type !== "boolean" && type !== "json";

export const mayBeSorted = ({ type }: Column): boolean => type !== "json";

export const isBlank = (value: unknown): boolean => value === null || value === undefined || value === "";

/** Returns a row's display name: its key, else its first value, else its id. */
export function rowName({ key_column: key, columns }: Dataset, row: Row): string {
  const first = [key, ...columns.map((column) => column.key)].find(
    (each) => each !== null && !isBlank(row[each]) && typeof row[each] !== "object",
  );
  return first === undefined || first === null ? row._id : String(row[first]).slice(0, 80).toWellFormed();
}
