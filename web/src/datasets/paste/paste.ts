import type { Detail } from "../../api/api-error.ts";
import type { Column, Dataset, Row } from "../model/dataset.ts";
import { type Reader, readText } from "../rows/read-text.ts";

/** Cells that were pasted, and where. */
export interface Pasted {
  cells: readonly (readonly string[])[];
  row: Row | undefined;
  column: Column | undefined;
}

/** What becomes of pasted cells: rows to add, or present rows to change. */
export type PasteMode = "insert" | "update";

/** Pasted cells on their way into rows. */
export interface PastedSheet {
  /** The column that each of the pasted columns fills; undefined for one that is left out. */
  columns: readonly (Column | undefined)[];
  /** The cells without the line of headings. */
  lines: readonly (readonly string[])[];
  /** Whether the first line named the columns. */
  named: boolean;
}

const plain = (text: string): string => text.trim().toLowerCase();

/** Which columns are meant: those that the first line names, else from the chosen one to the right. */
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

/** What is wrong with a pasted cell, by its line and the key of its column; an empty key for the whole line. */
export type PasteFaults = ReadonlyMap<string, Pick<Detail, "code" | "message">>;
export const pasteKey = (line: number, column: string): string => `${line} ${column}`;

/** The pasted lines as rows of the API's, and the cells that cannot be read. `over` are the rows that get them. */
export function rowsOf(
  { columns, lines }: PastedSheet,
  over: readonly Row[] | undefined,
  how: Reader,
): { rows: Record<string, unknown>[]; faults: PasteFaults } {
  const faults = new Map<string, Pick<Detail, "code" | "message">>();
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

/** The service's faults by cell; their paths are `$.rows[3].email`. */
export function faultsAt(details: readonly Detail[]): PasteFaults {
  const faults = new Map<string, Pick<Detail, "code" | "message">>();
  for (const fault of details) {
    const [, line, column = ""] = /^\$\.rows\[(\d+)\](?:\.(.+))?$/.exec(fault.path) ?? [];
    if (line !== undefined) faults.set(pasteKey(Number(line), column), fault);
  }
  return faults;
}
