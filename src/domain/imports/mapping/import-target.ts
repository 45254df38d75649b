import type { CellType } from "../../values/import-field.ts";

/** The dataset whose rows an import writes; `headers` has the file's column for each that is filled. */
export interface RowsTarget {
  dataset: string;
  mode: "insert" | "upsert" | "update";
  headers: ReadonlyMap<string, string>;
}

/** The project as an import sees it: its fields with their types and options, its country. */
export interface ImportTarget {
  projectId: string;
  country: string | null;
  /** Where a time without an offset is meant. */
  timezone: string;
  statuses: string[];
  /** Fields whose changes the timeline does not tell. */
  untracked: ReadonlySet<string>;
  fields: Map<string, { type: CellType; options: string[] }>;
  /** Null where the rows become leads. */
  rows: RowsTarget | null;
}
