import type { FoundPreset } from "../../../contract/nouns/imports/import.ts";
import type { Failure } from "../mapping/row-reader.ts";

/** The name that a process holds while it runs an import; if nobody holds it, that process is gone. */
export const importName = (projectId: string, id: string): string => `${projectId}/${id}`;

/** A failed row: its record number, the line where it starts, its cells verbatim, and all faults. */
export interface FailedRow {
  number: number;
  row: number;
  cells: readonly string[];
  faults: Failure[];
}

/** The outcomes of the rows; `rows` is always the sum of the other five. */
export interface Counts {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
}

export type Outcome = Exclude<keyof Counts, "rows">;

export interface ImportReport extends Counts {
  id: string;
  /** The program that wrote the file, and the headers that show it. */
  preset: FoundPreset | null;
  /** Columns of the file that fill no field. */
  skippedColumns: string[];
  /** The first hundred faults in the order of the file; a failed row has at least one. */
  failures: Failure[];
}

export const MOST_FAILURES = 100;

export const noCounts = (): Counts => ({
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
});

export function count(counts: Counts, outcome: Outcome): void {
  counts.rows += 1;
  counts[outcome] += 1;
}

export function addCounts(to: Counts, more: Counts): void {
  for (const key of Object.keys(more) as (keyof Counts)[]) to[key] += more[key];
}
