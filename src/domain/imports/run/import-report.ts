import type { FoundPreset } from "../../../contract/imports/import.ts";
import type { ImportQuestion } from "../../../contract/imports/import-question.ts";
import type { ImportCounts, RowCounts, RowOutcome } from "../../../contract/lists/outcomes.ts";
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

export interface ImportReport extends ImportCounts {
  id: string;
  /** The program that wrote the file, and the headers that show it. */
  preset: FoundPreset | null;
  /** What the file left open, and what was chosen. */
  questions: ImportQuestion[];
  /** Columns of the file that fill no field. */
  skippedColumns: string[];
  /** The first hundred faults in the order of the file; a failed row has at least one. */
  failures: Failure[];
}

export const MOST_FAILURES = 100;

export const noCounts = (): ImportCounts => ({
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  opted_out: 0,
  opt_outs_kept: 0,
});

export function count(counts: RowCounts, outcome: RowOutcome): void {
  counts.rows += 1;
  counts[outcome] += 1;
}

export function addCounts(to: ImportCounts, more: ImportCounts): void {
  for (const key of Object.keys(more) as (keyof ImportCounts)[]) to[key] += more[key];
}
