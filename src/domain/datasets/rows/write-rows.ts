import { isDeepStrictEqual } from "node:util";
import type { RowMode } from "../../../contract/lists/datasets.ts";
import type { ItemOutcome } from "../../../contract/lists/outcomes.ts";
import { newId } from "../../../core/id.ts";
import type { Fault } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { ChangeItem } from "../../changes/change-items.ts";
import { recordItems } from "../../changes/record-items.ts";
import { columnOf, type Dataset } from "../definition/dataset.ts";
import type { Cell, WrittenAs } from "./cell.ts";
import type { DryRows } from "./dry-rows.ts";
import { type ReadRow, readRow } from "./read-row.ts";
import { type MappedRow, RowIdentityMap } from "./row-identity-map.ts";
import { saveRows } from "./save-rows.ts";

/** The outcome of a row, at its index; paths of faults are keys of columns, or empty. */
export interface WrittenRow {
  index: number;
  id: string | null;
  outcome: ItemOutcome;
  version: number | null;
  faults: Fault[];
  /** The changed values of a row by slot; `before` is null for a new row. */
  change?: { before: Values | null; after: Values };
}

type Values = Record<string, Cell | null>;

interface Options {
  mode: RowMode;
  /** `json` for API bodies, `text` for cells of a file. */
  as: WrittenAs;
  /** Whether one bad row prevents all of them from being written. */
  whole: boolean;
  /** The change that records the rows. */
  change: Change;
  /** Decides without writing, and remembers the decisions for later calls of the dry run. */
  dry?: DryRows;
}

/**
 * Writes at most some thousand rows into a dataset that `findDataset(…, "lock")` locked in this transaction. Rows
 * are decided in order, so a later row sees what an earlier one wrote.
 */
export async function writeRows(
  tx: Transaction,
  projectId: string,
  dataset: Dataset,
  rows: readonly unknown[],
  { mode, as, whole, change, dry }: Options,
): Promise<WrittenRow[]> {
  const given = rows.map((row) => readRow(dataset, row, as));
  const identityMap = new RowIdentityMap(dataset);
  const ids = given.flatMap(({ id }) => id ?? []);
  await identityMap.load(
    tx,
    projectId,
    given.map(({ patch }) => patch),
    ids,
    dry === undefined ? undefined : (loaded, asked) => dry.over(loaded, asked),
  );
  // Ids in ascending order keep the rows of one call in their given order.
  const fresh = rows.map(() => newId("row")).sort();
  const results = given.map((row, index) => decide(identityMap, row, index, mode, fresh[index]));
  await dry?.keep(identityMap);
  if (dry !== undefined || (whole && results.some(({ outcome }) => outcome === "failed"))) return results;
  await saveRows(tx, projectId, identityMap);
  await recordRows(tx, change, dataset, results);
  return results;
}

/** Records an item for each decision that changed a row, in their order, so that an undo can go back step by step. */
export async function recordRows(
  tx: Transaction,
  change: Change,
  { id: datasetId }: Dataset,
  results: readonly Omit<WrittenRow, "index" | "faults">[],
): Promise<void> {
  const items = results.flatMap(({ id: recordId, version, change: done }): ChangeItem[] =>
    done === undefined || recordId === null || version === null
      ? []
      : [{ kind: "row", recordId, datasetId, ...done, version }],
  );
  if (items.length === 0) return;
  const created = new Set(
    results.flatMap(({ id, outcome }) => (id !== null && outcome === "created" ? [id] : [])),
  );
  const updated = new Set(items.map(({ recordId }) => recordId)).size - created.size;
  await recordItems(tx, change, { rows_created: created.size, rows_updated: updated }, items);
}

function decide(
  identityMap: RowIdentityMap,
  read: ReadRow,
  index: number,
  mode: RowMode,
  freshId: string | undefined,
): WrittenRow {
  const failed = (faults: Fault[]): WrittenRow => ({
    index,
    id: read.id ?? null,
    outcome: "failed",
    version: null,
    faults,
  });
  if (read.faults.length > 0) return failed(read.faults);
  const row = targetOf(identityMap, read, mode, freshId);
  if ("code" in row) return failed([row]);
  const [isNew, wasChanged] = [!identityMap.rows.has(row.id), row.changed];
  row.changed = false;
  const { cells: before } = row;
  const faults = identityMap.put(row, read.patch);
  const differs = row.changed;
  row.changed ||= wasChanged;
  if (faults.length > 0) return failed(faults);
  // A row that one call changes twice is stored once.
  const version = row.version === 0 ? 1 : row.version + (row.changed ? 1 : 0);
  return {
    index,
    id: row.id,
    outcome: isNew ? "created" : differs ? "updated" : "unchanged",
    version,
    faults: [],
    ...(isNew || differs ? { change: changeOf(isNew ? null : before, row.cells, read.patch.keys()) } : {}),
  };
}

/** The values in some slots of a row that differ from before; all of a new one. */
export function changeOf(
  before: Values | null,
  cells: Values,
  written: Iterable<string>,
): NonNullable<WrittenRow["change"]> {
  if (before === null) return { before, after: cells };
  const slots = [...written].filter((slot) => !isDeepStrictEqual(before[slot] ?? null, cells[slot] ?? null));
  const of = (values: Values): Values =>
    Object.fromEntries(slots.map((slot) => [slot, values[slot] ?? null]));
  return { before: of(before), after: of(cells) };
}

/** Returns the row to write: a new one, or one found by id or key; a fault if there is none. */
function targetOf(
  identityMap: RowIdentityMap,
  { id, patch }: ReadRow,
  mode: RowMode,
  freshId: string | undefined,
): MappedRow | Fault {
  if (id !== undefined) {
    if (mode === "insert")
      return { path: "_id", code: "unexpected", message: "must not be sent for a new row" };
    return (
      identityMap.rows.get(id) ?? {
        path: "_id",
        code: "unknown_row",
        message: "is not a row of this dataset",
      }
    );
  }
  if (mode === "insert") return identityMap.fresh(freshId);
  const column = columnOf(identityMap.dataset, identityMap.dataset.key_column);
  if (column === undefined)
    return { path: "_id", code: "required", message: "is required: the dataset has no key column" };
  const value = patch.get(column.slot);
  if (value === null || value === undefined)
    return { path: column.key, code: "required", message: "is required to find the row, unless _id is sent" };
  const found = identityMap.holder(column.slot, value);
  if (found !== undefined) return found;
  return mode === "upsert"
    ? identityMap.fresh(freshId)
    : { path: column.key, code: "unknown_row", message: "is not the key of any row" };
}
