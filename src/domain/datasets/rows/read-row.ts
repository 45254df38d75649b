import { isId } from "../../../core/id.ts";
import type { Fault } from "../../../core/refusal.ts";
import type { Column } from "../../fields/column.ts";
import type { Dataset } from "../definition/dataset.ts";
import { type Cell, readCell, type WrittenAs } from "./cell.ts";

/** The values of a row by slot; null empties a cell. */
export type RowPatch = Map<string, Cell | null>;

/** A row after reading, with `id` if it has one. Paths of faults are keys of columns. */
export interface ReadRow {
  id: string | undefined;
  patch: RowPatch;
  faults: Fault[];
}

const MOST_FAULTS = 20;

/** The columns that a writer fills: the current ones and those that a change in progress adds. */
export const definitionsOf = ({ columns, change }: Pick<Dataset, "columns" | "change">): Column[] => [
  ...columns,
  ...columns.flatMap(({ slot }) => change?.columns[slot] ?? []),
];

/** Reads a row, `{"<key>": value, "_id"?}`; faults are reported by column. */
export function readRow(dataset: Dataset, row: unknown, as: WrittenAs): ReadRow {
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    return {
      id: undefined,
      patch: new Map(),
      faults: [{ path: "", code: "type", message: "must be a JSON object" }],
    };
  }
  const byKey = new Map(dataset.columns.map((column) => [column.key, column]));
  const read: ReadRow = { id: undefined, patch: new Map(), faults: [] };
  const wrong = (key: string, code: string, message: string) =>
    read.faults.push({ path: key.slice(0, 60).toWellFormed(), code, message });
  for (const [key, value] of Object.entries(row)) {
    if (read.faults.length >= MOST_FAULTS) break;
    const column = byKey.get(key);
    if (column !== undefined) readInto(read.patch, dataset, column, value, as, wrong);
    else if (key === "_id") {
      if (typeof value === "string" && isId("row", value)) read.id = value;
      else wrong(key, "unknown_row", "is not the id of a row");
    } else if (key.startsWith("_")) wrong(key, "read_only", "is set by the service and cannot be written");
    else wrong(key, "unknown_column", "is not a column of this dataset");
  }
  return read;
}

/** Reads a value for its column, and for the column that a change in progress makes of it. */
function readInto(
  patch: RowPatch,
  dataset: Dataset,
  column: Column,
  value: unknown,
  as: WrittenAs,
  wrong: (key: string, code: string, message: string) => void,
): void {
  const reading = readCell(column, value, dataset, as);
  if ("code" in reading) return void wrong(column.key, reading.code, reading.message);
  patch.set(column.slot, reading.value);
  fillOne(dataset, patch, column.slot, (code, message) => wrong(column.key, code, message));
}

/** Fills the new columns of a change in progress for the columns in a patch; returns what does not fit. */
export function fillComing(dataset: Dataset, patch: RowPatch): Fault[] {
  const faults: Fault[] = [];
  for (const { slot, key } of dataset.columns)
    if (patch.has(slot))
      fillOne(dataset, patch, slot, (code, message) => faults.push({ path: key, code, message }));
  return faults;
}

function fillOne(
  { change, country, timezone }: Dataset,
  patch: RowPatch,
  slot: string,
  wrong: (code: string, message: string) => unknown,
): void {
  const coming = change?.columns[slot];
  if (coming === undefined) return;
  const second = readCell(coming, patch.get(slot), { country, timezone }, "text");
  if ("code" in second)
    wrong(second.code, `${second.message} (the column is being changed to ${coming.type})`);
  else patch.set(coming.slot, second.value);
}

/** The faults for required columns without a value. */
export function missingOf(columns: readonly Column[], has: (slot: string) => boolean): Fault[] {
  return columns
    .filter(({ required, slot }) => required && !has(slot))
    .map(({ key }) => ({ path: key, code: "required", message: "must not be empty" }));
}
