import type { RowMode } from "../../../../src/contract/lists/datasets.ts";
import type {
  DateOrder,
  Decimals,
  FoundStyle,
  GuessedBy,
  ImportFormat,
} from "../../../../src/contract/lists/files.ts";
import type { RowCounts } from "../../../../src/contract/lists/outcomes.ts";
import type { ImportState } from "../../../../src/contract/lists/states.ts";
/** A column of an import's file. */
export interface FileColumn {
  name: string;
  filled: number;
  samples: string[];
  /** All distinct values, if there are few. */
  values: string[] | null;
  dates: FoundStyle<DateOrder>;
  decimals: FoundStyle<Decimals>;
  guess?: { field: string; by: GuessedBy };
}

export interface Rule {
  field: string;
  values?: Record<string, string>;
  prefix?: string;
  dates?: DateOrder;
  decimals?: Decimals;
}

/** How columns map to fields; the panel keeps the parts it cannot edit. */
export interface Mapping {
  columns: Record<string, string | Rule>;
  dates?: DateOrder;
  decimals?: Decimals;
  mode?: RowMode;
  calendar?: unknown;
  [more: string]: unknown;
}

export interface ImportRecord extends RowCounts {
  id: string;
  state: ImportState;
  file: {
    name: string;
    bytes: number | null;
    format: ImportFormat | null;
    encoding: string | null;
    bom: boolean | null;
    delimiter: string | null;
    header_row: number | null;
    rows: number | null;
    sheet: string | null;
    sheets: string[] | null;
  };
  dataset: { id: string; key: string | null } | null;
  preset: { name: string; because: string[] } | null;
  columns: FileColumn[];
  mapping: Mapping | null;
  questions: { path: string; code: string; message: string }[];
  dry_run: (RowCounts & { repeated: number | null; finished_at: string }) | null;
  undo: { deleted: number; restored: number; left: number } | null;
  error: { code: string; message: string } | null;
  actor: { type: string; id: string | null; label: string | null } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  expires_at: string | null;
}

const BUSY: readonly ImportState[] = ["checking", "waiting", "running", "undoing"];

/** Whether a worker is processing the import, or will be. */
export const isImportBusy = ({ state }: { state: ImportState }): boolean => BUSY.includes(state);

/** The steps of the wizard, in order. */
export const STEPS = ["file", "columns", "check", "result"] as const;
export type Step = (typeof STEPS)[number];

/** Returns the step to show: the one in the URL if the import's state allows it. */
export function stepOf({ state, dry_run }: ImportRecord, wanted: string): Step {
  if (state === "checking") return "check";
  if (state !== "ready") return "result";
  const step = STEPS.find((each) => each === wanted);
  return step === undefined || step === "result" ? (dry_run === null ? "file" : "check") : step;
}

/** Returns a column's rule in its long form; undefined if the column is not imported. */
export function ruleOf(mapping: Mapping | null, column: string): Rule | undefined {
  const rule =
    mapping !== null && Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : undefined;
  return typeof rule === "string" ? { field: rule } : rule;
}

/** Returns the mapping with another rule for a column, or without the column. */
export function withRule(mapping: Mapping, column: string, rule: Rule | undefined): Mapping {
  const entries = Object.entries(mapping.columns).filter(([name]) => name !== column);
  if (rule !== undefined) entries.push([column, Object.keys(rule).length === 1 ? rule.field : rule]);
  return { ...mapping, columns: Object.fromEntries(entries) };
}

/** Returns the part of the rows that is done, from 0 to 1; undefined while the total is unknown. */
export const partOf = ({ rows, file }: ImportRecord): number | undefined =>
  file.rows === null || file.rows === 0 ? undefined : Math.min(1, rows / file.rows);
