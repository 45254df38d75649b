import { isDeepStrictEqual } from "node:util";
import type { KeptReason } from "../../../contract/lists/changes.ts";
import type { Fault } from "../../../core/refusal.ts";
import type { Cell } from "./cell.ts";
import { fillComing, type RowPatch } from "./read-row.ts";
import { CREATED_AT } from "./remove-rows.ts";
import type { MappedRow, RowIdentityMap } from "./row-identity-map.ts";

type Values = Record<string, Cell | null>;

/** What a change did to a row: created it (`before` is null), changed it, or deleted it (`after` is null). */
export interface RowItem {
  id: string;
  record_id: string;
  before: Values | null;
  after: Values | null;
  version: number;
  /** How many later versions of the row changes tell of, and the last of them. */
  versions: number;
  latest: number;
  /** Whether others have written the row since, and that still stands. */
  hasOthers: boolean;
  /** The slots that each of them set. */
  otherSlots: string[][];
}

/** What one step of an undo did to its row; the slots of `kept` are left alone by the steps that follow. */
export interface UndoStep {
  did: "put_back" | "deleted" | "restored" | "nothing";
  before: Values | null;
  after: Values | null;
  /** By slot; null means the whole row. */
  kept: { slot: string | null; reason: KeptReason }[];
}

/**
 * Takes back what a change did to a row, in the identity map of the locked dataset. `kept` has the slots that later
 * parts of the change could not take back: what was there before those is not put back either.
 */
export function undoStep(map: RowIdentityMap, item: RowItem, kept: ReadonlySet<string | null>): UndoStep {
  if (kept.has(null)) return { did: "nothing", before: null, after: null, kept: [] };
  const row = map.rows.get(item.record_id);
  if (item.before === null) return removed(map, row, item);
  if (item.after === null) return broughtBack(map, row, item, item.before);
  return row === undefined ? left("gone") : putBack(map, row, item, kept);
}

const left = (reason: KeptReason): UndoStep => ({
  ...{ did: "nothing", before: null, after: null },
  kept: [{ slot: null, reason }],
});

/** Deletes a created row, unless it is gone already, others have written it, or it has a version that no change tells of. */
function removed(map: RowIdentityMap, row: MappedRow | undefined, item: RowItem): UndoStep {
  if (row === undefined) return { did: "nothing", before: null, after: null, kept: [] };
  const isUntold = row.version > 0 && row.version - item.version !== item.versions;
  if (item.hasOthers || isUntold) return left("changed_since");
  map.remove(row);
  return { did: "deleted", before: row.cells, after: null, kept: [] };
}

/** Stores a deleted row again under its id, with the columns that there still are. */
function broughtBack(
  map: RowIdentityMap,
  row: MappedRow | undefined,
  { record_id: id, latest }: RowItem,
  { [CREATED_AT]: createdAt, ...cells }: Values,
): UndoStep {
  if (row !== undefined) return left("changed_since");
  const slots = new Set(map.dataset.columns.map(({ slot }) => slot));
  const patch: RowPatch = new Map(Object.entries(cells).filter(([slot]) => slots.has(slot)));
  const fresh = map.fresh(id);
  if (typeof createdAt === "string") fresh.back = { version: latest + 1, created_at: createdAt };
  const faults = [...fillComing(map.dataset, patch), ...map.put(fresh, patch)];
  if (faults.length > 0) {
    map.rows.delete(id);
    return left(faults.some(isTaken) ? "taken" : "does_not_fit");
  }
  const lost = Object.keys(cells).filter((slot) => !slots.has(slot) && !isComing(map, slot));
  return {
    ...{ did: "restored", before: null, after: fresh.cells },
    kept: lost.map((slot) => ({ slot, reason: "does_not_fit" })),
  };
}

/** Gives a row its former cells, each only if it still is what the change wrote and nobody has set it since. */
function putBack(
  map: RowIdentityMap,
  row: MappedRow,
  item: RowItem,
  kept: ReadonlySet<string | null>,
): UndoStep {
  const before = item.before ?? {};
  const after = item.after ?? {};
  const others = new Set(item.otherSlots.flat());
  const columns = new Map(map.dataset.columns.map(({ slot, key }) => [slot, key]));
  const lost: UndoStep["kept"] = [];
  const patch: RowPatch = new Map();
  for (const slot of Object.keys(after)) {
    if (kept.has(slot) || isComing(map, slot)) continue;
    const isNow = (cells: Values) => isDeepStrictEqual(row.cells[slot] ?? null, cells[slot] ?? null);
    if (!columns.has(slot)) lost.push({ slot, reason: "does_not_fit" });
    else if (isNow(before)) continue;
    else if (isNow(after) && !others.has(slot)) patch.set(slot, before[slot] ?? null);
    else lost.push({ slot, reason: "changed_since" });
  }
  const former = row.cells;
  for (let wanted = [...patch.keys()]; wanted.length > 0; ) {
    const some: RowPatch = new Map(wanted.map((slot) => [slot, patch.get(slot) ?? null]));
    const unfit = fillComing(map.dataset, some);
    const faults = unfit.length > 0 ? unfit : map.put(row, some);
    if (faults.length === 0) break;
    const wrong = new Map(faults.map((fault) => [fault.path, isTaken(fault)]));
    const going = wanted.filter((slot) => wrong.has(columns.get(slot) ?? "") || wrong.has(""));
    // A fault of another column cannot be avoided.
    const all = going.length === 0 ? wanted : going;
    for (const slot of all)
      lost.push({ slot, reason: wrong.get(columns.get(slot) ?? "") === true ? "taken" : "does_not_fit" });
    wanted = wanted.filter((slot) => !all.includes(slot));
  }
  const slots = [...new Set([...Object.keys(former), ...Object.keys(row.cells)])].filter(
    (slot) => !isDeepStrictEqual(former[slot] ?? null, row.cells[slot] ?? null),
  );
  const of = (cells: Values): Values => Object.fromEntries(slots.map((slot) => [slot, cells[slot] ?? null]));
  return {
    ...{ did: slots.length > 0 ? "put_back" : "nothing", before: of(former), after: of(row.cells) },
    kept: lost,
  };
}

const isTaken = ({ code }: Fault): boolean => code === "duplicate";

/** Whether the slot is filled from another column by a change of the dataset that is in progress. */
const isComing = ({ dataset }: RowIdentityMap, slot: string): boolean =>
  Object.values(dataset.change?.columns ?? {}).some((column) => column.slot === slot);
