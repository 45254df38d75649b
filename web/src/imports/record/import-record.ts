import type { Import, ImportColumn } from "../../../../src/contract/imports/import.ts";
import type { ColumnRule, ImportMapping } from "../../../../src/contract/imports/import-mapping.ts";
import { OPT_OUT_FIELDS, optOutOf } from "../../../../src/contract/lists/opt-outs.ts";
import type { ImportState } from "../../../../src/contract/lists/states.ts";

const BUSY: readonly ImportState[] = ["checking", "waiting", "running", "undoing"];

/** Whether a worker is processing the import, or will be. */
export const isImportBusy = ({ state }: { state: ImportState }): boolean => BUSY.includes(state);

/** Whether the import's file and lists, kept for thirty days, are gone. */
export const isImportOver = ({ expires_at: until }: Pick<Import, "expires_at">): boolean =>
  Date.parse(until) <= Date.now();

/** The steps of the wizard, in order. */
export const STEPS = ["file", "columns", "check", "result"] as const;
export type Step = (typeof STEPS)[number];

/** Returns the step to show: the one in the URL if the import's state allows it. */
export function stepOf({ state, dry_run }: Import, wanted: string): Step {
  if (state === "checking") return "check";
  if (state !== "ready") return "result";
  const step = STEPS.find((each) => each === wanted);
  return step === undefined || step === "result" ? (dry_run === null ? "file" : "check") : step;
}

/** Returns a column's rule in its long form; undefined if the column is not imported. */
export function ruleOf(mapping: ImportMapping | null, column: string): ColumnRule | undefined {
  const rule =
    mapping !== null && Object.hasOwn(mapping.columns, column) ? mapping.columns[column] : undefined;
  return typeof rule === "string" ? { field: rule } : rule;
}

/** Whether a column has cells that say that a person did not opt out. */
export const saysNoOptOut = ({ values }: ImportColumn, rule: ColumnRule | undefined): boolean =>
  rule !== undefined &&
  OPT_OUT_FIELDS.has(rule.field) &&
  values?.some((value) => optOutOf(rule.values?.[value] ?? value) === "none") === true;

/** Returns the mapping with another rule for a column, or without the column. */
export function withRule(
  mapping: ImportMapping,
  column: string,
  rule: ColumnRule | undefined,
): ImportMapping {
  const entries = Object.entries(mapping.columns).filter(([name]) => name !== column);
  if (rule !== undefined) entries.push([column, Object.keys(rule).length === 1 ? rule.field : rule]);
  const columns = Object.fromEntries(entries);
  if (mapping.set === undefined) return { ...mapping, columns };
  // The import proposes texts that keep a whole column; another choice for the column replaces them.
  const set = Object.entries(mapping.set).filter(([, text]) => text !== `{${column}}`);
  return { ...mapping, columns, set: Object.fromEntries(set) };
}

/** Returns the part of the rows that is done, from 0 to 1; undefined while the total is unknown. */
export const partOf = ({ rows, file }: Import): number | undefined =>
  file.rows === null || file.rows === 0 ? undefined : Math.min(1, rows / file.rows);
