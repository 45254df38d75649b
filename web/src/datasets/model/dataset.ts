import type { ColumnType } from "../../../../src/contract/lists/column-types.ts";
import type { Match, SchemaChangeState } from "../../../../src/contract/lists/datasets.ts";
import type { Detail } from "../../api/api-error.ts";

export interface Column {
  key: string;
  label: string;
  type: ColumnType;
  required: boolean;
  unique: boolean;
  options: readonly string[];
}

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
  change: { state: SchemaChangeState; details: readonly Detail[] } | null;
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

export const mayBeSorted = ({ type }: Column): boolean => type !== "json";

export const isBlank = (value: unknown): boolean => value === null || value === undefined || value === "";

/** Returns a row's display name: its key, else its first value, else its id. */
export function rowName({ key_column: key, columns }: Dataset, row: Row): string {
  const first = [key, ...columns.map((column) => column.key)].find(
    (each) => each !== null && !isBlank(row[each]) && typeof row[each] !== "object",
  );
  return first === undefined || first === null ? row._id : String(row[first]).slice(0, 80).toWellFormed();
}
