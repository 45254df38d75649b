import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { type Dataset, findDataset } from "../../datasets/definition/dataset.ts";
import type { Cell } from "../../datasets/rows/cell.ts";
import { fillComing, type RowPatch } from "../../datasets/rows/read-row.ts";
import { CREATED_AT, removeRows } from "../../datasets/rows/remove-rows.ts";
import { type MappedRow, RowIdentityMap } from "../../datasets/rows/row-identity-map.ts";
import { saveRows } from "../../datasets/rows/save-rows.ts";
import { changeOf, recordRows } from "../../datasets/rows/write-rows.ts";
import { Parameters } from "../../sql/parameters.ts";
import { type Decision, metClaims, type UndoRecord } from "../rule/decide.ts";
import type { Batch, Kind, Refused, Undone, Written } from "./kind.ts";
import { type ItemRow, itemsSql, pageOfItems, stepsOfItems } from "./read-steps.ts";

type Values = Record<string, Cell | null>;
type RowItem = ItemRow<Values> & { version: number };

/** In the order in which erasures lock datasets. `concat` makes the planner look for the rows, and not read all of the change. */
const DATASETS = `SELECT DISTINCT dataset_id AS id FROM change_item
  WHERE project_id = $1 AND concat(change_id) = $2 AND kind = 'row' AND record_id = ANY ($3) ORDER BY dataset_id`;

/** `concat` makes the planner look for the few items of the row, instead of reading all of the project's rows. */
const ITEMS = `${itemsSql("i.record_id = ANY ($5) AND concat(i.kind) = 'row' AND i.dataset_id = $6")}
  ORDER BY i.record_id, i.version, i.id`;

/** Rows of datasets and their cells. */
export const rows: Kind = {
  keptAs: ["row"],
  next: (tx, undo, of, after) => pageOfItems(tx, undo, of, "row", after),
  async load(tx, undo, of, ids) {
    const batches: Batch[] = [];
    for (const { id } of await tx.query<{ id: string }>(DATASETS, [undo.by.projectId, of.id, ids]))
      batches.push(await batchOf(tx, undo, of, id, ids));
    return batches;
  },
};

async function batchOf(
  tx: Transaction,
  undo: Change,
  of: Undone,
  datasetId: string,
  ids: readonly string[],
): Promise<Batch> {
  const { projectId } = undo.by;
  const dataset = await lockedOrGone(tx, projectId, datasetId);
  // Read after the lock: an erasure that had it before has removed the items of its person.
  const items = await tx.query<RowItem>(ITEMS, [projectId, of.id, of.from, of.to, ids, datasetId]);
  const byRow = Map.groupBy(items, ({ record_id }) => record_id);
  const map = dataset === undefined ? undefined : await loaded(tx, projectId, dataset, items);
  const records = [...byRow].map(([id, own]) => recordOf(id, own, undo, map));
  const keys = new Map(dataset?.columns.map(({ slot, key }) => [slot, key]));
  return {
    records,
    rules: { again: "changed_since", absent: "gone" },
    fits: () => true,
    shown: (id) => ({ kind: "row", id, datasetId }),
    keyOf: (slot) => keys.get(slot) ?? slot,
    write: async (decisions) =>
      map === undefined ? { refused: new Map() } : await write(tx, undo, map, byRow, decisions),
  };
}

async function lockedOrGone(tx: Transaction, projectId: string, id: string): Promise<Dataset | undefined> {
  try {
    return await findDataset(tx, projectId, id, "lock");
  } catch (error) {
    if (error instanceof Refusal && error.kind === "not_found") return undefined;
    throw error;
  }
}

/** Reads the rows and the holders of all unique values that may be put back. */
async function loaded(
  tx: Transaction,
  projectId: string,
  dataset: Dataset,
  items: readonly RowItem[],
): Promise<RowIdentityMap> {
  const slots = new Set(dataset.columns.map(({ slot }) => slot));
  const patches = items
    .filter(({ own }) => own)
    .map(({ before }) => {
      const patch: RowPatch = new Map(Object.entries(before ?? {}).filter(([slot]) => slots.has(slot)));
      fillComing(dataset, patch);
      return patch;
    });
  const map = new RowIdentityMap(dataset);
  await map.load(tx, projectId, patches, [...new Set(items.map(({ record_id }) => record_id))]);
  return map;
}

function recordOf(
  id: string,
  items: readonly RowItem[],
  undo: Change,
  map: RowIdentityMap | undefined,
): UndoRecord {
  const row = map?.rows.get(id);
  const columns = new Set(map?.dataset.columns.map(({ slot }) => slot));
  // A slot that a change of the dataset is filling from another column follows that one.
  const coming = new Set(Object.values(map?.dataset.change?.columns ?? {}).map(({ slot }) => slot));
  const { since, ...steps } = stepsOfItems(items, undo, ({ before, after }) => {
    const slots = Object.keys(after ?? before ?? {}).filter(
      (slot) => slot !== CREATED_AT && !coming.has(slot),
    );
    return slots.map((field) => ({ field, from: before?.[field] ?? null, to: after?.[field] ?? null }));
  });
  const versions = new Set(since.map(({ version }) => version)).size - 1;
  return {
    id,
    ...steps,
    now: map === undefined ? "gone" : row === undefined ? "none" : "there",
    read: (slot) => (columns.has(slot) ? (row?.cells[slot] ?? null) : undefined),
    untraced: row !== undefined && row.version - (since[0]?.version ?? 0) !== versions,
  };
}

/** Writes rows: deletions first, which free unique values, then rows, then their items. */
async function write(
  tx: Transaction,
  undo: Change,
  map: RowIdentityMap,
  byRow: ReadonlyMap<string, readonly RowItem[]>,
  decisions: readonly Decision[],
): Promise<Written> {
  const deleted = decisions.filter(({ op }) => op === "delete").map(({ id }) => id);
  for (const id of deleted) {
    const row = map.rows.get(id);
    if (row !== undefined) map.remove(row);
  }
  const fresh = (id: string) => {
    const items = byRow.get(id) ?? [];
    const created = items.findLast(({ own, after }) => own && after === null)?.before?.[CREATED_AT];
    const version = Math.max(...items.map((item) => item.version)) + 1;
    return {
      ...map.fresh(id),
      ...(typeof created === "string" ? { back: { version, created_at: created } } : {}),
    };
  };
  const { refused, put } = fitRows(map, decisions, fresh);
  if (deleted.length > 0) {
    const parameters = new Parameters();
    const where = `r.id = ANY (${parameters.texts(deleted)})`;
    await removeRows(tx, undo, map.dataset.id, { parameters, where, most: deleted.length });
  }
  await saveRows(tx, undo.by.projectId, map);
  const results = put.map(({ row, former, back }) => ({
    id: row.id,
    outcome: former === null ? ("created" as const) : ("updated" as const),
    version: former === null ? (row.back?.version ?? 1) : row.version + 1,
    change: changeOf(former, row.cells, patchOf(map, back).patch.keys()),
  }));
  await recordRows(tx, undo, map.dataset, results);
  return { refused };
}

interface Wanted {
  row: MappedRow;
  /** Its cells before; null for one that comes back. */
  former: Values | null;
  /** The former cells, by slot. */
  back: Map<string, unknown>;
}

/**
 * Puts former cells into the rows of an identity map, with all that fits the dataset together: required cells, sizes and
 * unique values, which rows may have exchanged. Returns what was refused, and the rows that were put.
 */
function fitRows(
  map: RowIdentityMap,
  decisions: readonly Decision[],
  fresh: (id: string) => MappedRow,
): { refused: ReadonlyMap<string, readonly Refused[]>; put: readonly Wanted[] } {
  const refused = new Map<string, Refused[]>();
  const wanted = new Map<string, Wanted>();
  for (const { id, op, back } of decisions) {
    const isNew = op === "restore";
    const row = isNew ? fresh(id) : map.rows.get(id);
    if ((isNew || op === "set") && row !== undefined)
      wanted.set(id, { row, former: isNew ? null : row.cells, back: new Map(back) });
  }
  const refuse = (id: string, slots: readonly string[], reason: Refused["reason"]): void => {
    const given = wanted.get(id);
    if (given === undefined) return;
    const { former, back } = given;
    const fields = former === null ? [null] : slots;
    refused.set(id, [...(refused.get(id) ?? []), ...fields.map((field) => ({ field, reason }))]);
    for (const slot of slots) back.delete(slot);
    if (former === null || back.size === 0) wanted.delete(id);
  };
  for (let isFitting = false; !isFitting; ) {
    isFitting = true;
    for (const [id, { row, back }] of wanted) {
      const wrong = misfits(map, row, back);
      if (wrong.length > 0) refuse(id, wrong, "does_not_fit");
      isFitting &&= wrong.length === 0;
    }
    for (const { slot, ids } of unmet(map, wanted)) {
      for (const id of ids) refuse(id, sourcesOf(map, slot, wanted.get(id)?.back), "taken");
      isFitting = false;
    }
  }
  for (const { slot, unique } of map.columns)
    if (unique) for (const id of metIn(map, slot, wanted).released) map.release(id, slot);
  for (const [id, { row, back }] of wanted)
    if (map.put(row, patchOf(map, back).patch).length > 0)
      throw new Error(`the former cells of ${id} do not fit`);
  return { refused, put: [...wanted.values()] };
}

/** The cells to write, with those of columns that a change of the dataset is filling. */
function patchOf(map: RowIdentityMap, back: ReadonlyMap<string, unknown>) {
  const patch = new Map(back) as RowPatch;
  return { patch, faults: fillComing(map.dataset, patch) };
}

/** The slots whose former cells do not fit their columns; all if it is the row that does not fit. */
function misfits(map: RowIdentityMap, row: MappedRow, back: ReadonlyMap<string, unknown>): string[] {
  const { patch, faults } = patchOf(map, back);
  const all = faults.length > 0 ? faults : map.misfits(row, patch);
  const slots = new Map(map.dataset.columns.map(({ slot, key }) => [key, slot]));
  const wrong = new Set(all.map(({ path }) => slots.get(path) ?? ""));
  const own = [...back.keys()].filter((slot) => wrong.has(slot));
  // A fault of another column cannot be avoided.
  return all.length > 0 && own.length === 0 ? [...back.keys()] : own;
}

function metIn(map: RowIdentityMap, slot: string, wanted: ReadonlyMap<string, Wanted>) {
  const holders = new Map<string, string | undefined>();
  const claims = [...wanted].flatMap(([id, { back }]) => {
    const value = patchOf(map, back).patch.get(slot);
    if (value === null || value === undefined) return [];
    const { key, holder } = map.claimed(slot, value);
    holders.set(key, holder);
    return [{ id, value: key }];
  });
  return { claims, ...metClaims(claims, (value) => holders.get(value)) };
}

function unmet(map: RowIdentityMap, wanted: ReadonlyMap<string, Wanted>): { slot: string; ids: string[] }[] {
  return map.columns.flatMap(({ slot, unique }) => {
    if (!unique) return [];
    const { claims, ids } = metIn(map, slot, wanted);
    const left = claims.flatMap(({ id }) => (ids.has(id) ? [] : [id]));
    return left.length === 0 ? [] : [{ slot, ids: left }];
  });
}

/** The former cells that fill a slot: its own, or that of the column which a change of the dataset replaces by it. */
function sourcesOf(
  map: RowIdentityMap,
  slot: string,
  back: ReadonlyMap<string, unknown> | undefined,
): string[] {
  const coming = Object.entries(map.dataset.change?.columns ?? {});
  const source = coming.find(([, column]) => column.slot === slot)?.[0] ?? slot;
  return back?.has(source) === true ? [source] : [...(back?.keys() ?? [])];
}
