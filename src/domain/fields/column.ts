import type { ColumnType } from "../../contract/lists/column-types.ts";

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

/** Whether a unique column ignores case and accents when it compares values, as filters do. */
export const isFolded = ({ type }: Pick<Column, "type">): boolean =>
  type === "text" || type === "email" || type === "url";

/** A column as API users see it. */
export const shownColumn = ({ slot: _, ...column }: Column): Omit<Column, "slot"> => column;
