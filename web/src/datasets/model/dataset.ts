import type { Column, Dataset } from "../../../../src/contract/datasets/dataset.ts";
import type { RowPart, WrittenRow } from "../../../../src/contract/datasets/row.ts";

/** A row as the panel reads it: with all its columns. */
export type Row = WrittenRow;

/** Whether a row has what every row has, as it does unless the request names columns. */
export const isRow = (row: RowPart): row is Row => row._version !== undefined;

export const mayBeSorted = ({ type }: Column): boolean => type !== "json";

export const isBlank = (value: unknown): boolean => value === null || value === undefined || value === "";

/** Returns a row's display name: its key, else its first value, else its id. */
export function rowName({ key_column: key, columns }: Dataset, row: Row): string {
  const first = [key, ...columns.map((column) => column.key)].find(
    (each) => each !== null && !isBlank(row[each]) && typeof row[each] !== "object",
  );
  return first === undefined || first === null ? row._id : String(row[first]).slice(0, 80).toWellFormed();
}
