import type { CellType } from "../../../contract/lists/column-types.ts";
import type { RowMode } from "../../../contract/lists/datasets.ts";

/** The dataset that an import fills; `headers` has the file's column for each filled column. */
export interface RowsTarget {
  dataset: string;
  mode: RowMode;
  headers: ReadonlyMap<string, string>;
}

/** What an import needs of its project: fields with types and options, and the country. */
export interface ImportTarget {
  projectId: string;
  country: string | null;
  /** The zone of times without an offset. */
  timezone: string;
  statuses: string[];
  /** What amounts without a currency are in. */
  currency: string | null;
  /** Whether only what is empty in a lead that is found is written. */
  fill: boolean;
  /** Which rows are written: those that create a lead, those that change one, or both. */
  mode: RowMode;
  /** Whether no row clears the `do_not_contact` of a lead. */
  keepsOptOut: boolean;
  /** The ids of the people who may own a lead, by the texts that name them. */
  owners: ReadonlyMap<string, string>;
  fields: Map<string, { type: CellType; options: string[] }>;
  /** The fields of leads by their labels in every language, in the form of `plainHeader`. */
  labels: ReadonlyMap<string, string>;
  /** Null if the rows become leads. */
  rows: RowsTarget | null;
  /** When the mapping was opened, by the database's clock. */
  now: Date;
}
