import type { Fault } from "../../../../src/contract/basics/problem.ts";
import type { Column, Dataset } from "../../../../src/contract/datasets/dataset.ts";
import type { Row } from "../model/dataset.ts";
import { type Reader, readText } from "../rows/read-text.ts";

/** Pasted cells and the cell they were pasted into. */
export interface Pasted {
  cells: readonly (readonly string[])[];
  row: Row | undefined;
  column: Column | undefined;
}

/** Whether pasted cells become new rows or overwrite existing ones. */
export type PasteMode = "insert" | "update";

/** Pasted cells with the columns they fill. */
export interface PastedSheet {
  /** The column that each pasted column fills; undefined if it is ignored. */
  columns: readonly (Column | undefined)[];
  /** The cells without the heading line. */
  lines: readonly (readonly string[])[];
  /** Whether the first line contained the column names. */
  named: boolean;
}

const plain = (text: string): string => text.trim().toLowerCase();

/** Finds the columns by the names in the first line, else from the selected column to the right. */
export function sheetOf({ columns }: Dataset, { cells, column }: Pasted): PastedSheet {
  const [head = [], ...rest] = cells;
  const width = Math.max(0, ...cells.map((line) => line.length));
  const byName = head.map((name) =>
    columns.find(({ key, label }) => key === plain(name) || plain(label) === plain(name)),
  );
  const known = byName.filter((each) => each !== undefined);
  if (
    rest.length > 0 &&
    known.length > 0 &&
    known.length >= head.length / 2 &&
    new Set(known).size === known.length
  )
    return { columns: byName, lines: rest, named: true };
  const first = column === undefined ? 0 : Math.max(0, columns.indexOf(column));
  return { columns: Array.from({ length: width }, (_, i) => columns[first + i]), lines: cells, named: false };
}

/** Errors of pasted cells by line and column key; an empty key is for the whole line. */
export type PasteFaults = ReadonlyMap<string, Pick<Fault, "code" | "message">>;
export const pasteKey = (line: number, column: string): string => `${line} ${column}`;

/** Returns the pasted lines as rows for the API, and the cells that cannot be read. `over` are the rows to overwrite. */
export function rowsOf(
  { columns, lines }: PastedSheet,
  over: readonly Row[] | undefined,
  how: Reader,
): { rows: Record<string, unknown>[]; faults: PasteFaults } {
  const faults = new Map<string, Pick<Fault, "code" | "message">>();
  const rows = lines.slice(0, over?.length).map((line, i) => {
    const row: Record<string, unknown> = over === undefined ? {} : { _id: over[i]?._id };
    columns.forEach((column, at) => {
      if (column === undefined) return;
      const reading = readText(column, line[at] ?? "", how);
      if ("code" in reading) faults.set(pasteKey(i, column.key), reading);
      else if (over !== undefined || reading.value !== null) row[column.key] = reading.value;
    });
    return row;
  });
  return { rows, faults };
}

/** Returns the API's errors by cell; their paths look like `$.rows[3].email`. */
export function faultsAt(details: readonly Fault[]): PasteFaults {
  const faults = new Map<string, Pick<Fault, "code" | "message">>();
  for (const fault of details) {
    const [, line, column = ""] = /^\$\.rows\[(\d+)\](?:\.(.+))?$/.exec(fault.path) ?? [];
    if (line !== undefined) faults.set(pasteKey(Number(line), column), fault);
  }
  return faults;
}
