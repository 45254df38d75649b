import { useEffect } from "react";
import type { ListedLead } from "../../records/listed-lead.ts";
import { cellKey, type UnsavedCells } from "../../records/unsaved-cells.ts";
import type { useCellKeys } from "./use-cell-keys.ts";
import type { Placed } from "./use-sheet.ts";

/** Opens the editor of a cell whose value was not saved, unless another cell is being edited, or it is a choice and nobody asked. */
export function useWantedCell(
  { wanted, cells, opened }: UnsavedCells,
  leads: readonly ListedLead[],
  columns: readonly Placed[],
  keys: ReturnType<typeof useCellKeys>,
): void {
  const { edit, place } = keys;
  useEffect(() => {
    const cell = wanted === undefined ? undefined : cells.get(wanted.key);
    if (cell === undefined || leads.length === 0) return;
    const row = leads.findIndex(({ id }) => id === cell.record);
    const column = columns.findIndex(({ name }) => cellKey(cell.record, name) === wanted?.key);
    if (row < 0 || column < 0) return;
    opened();
    const kind = columns[column]?.kind ?? "text";
    if (place?.editing === true || (CHOICES.has(kind) && wanted?.isAsked !== true)) return;
    edit(row, column);
  }, [wanted, cells, leads, columns, opened, edit, place]);
}

/** A list that drops down by itself would be in the way. */
const CHOICES = new Set(["status", "choice", "owner", "boolean"]);
