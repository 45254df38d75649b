import type { UndoneRecord } from "../../changes/undone-record.ts";
import { findDataset } from "../../datasets/definition/dataset.ts";
import { undoRows } from "../../datasets/undo-change-rows.ts";
import { END, type UndoneBatch, type UndoStep } from "./undo-step.ts";

/**
 * Undoes some hundred rows of a dataset, from the end of the file: created rows are deleted, changed rows get their old
 * values. What was edited since stays and is listed.
 */
export const rowStep =
  (dataset: string): UndoStep =>
  async (tx, undo, of, from) => {
    await findDataset(tx, undo.by.projectId, dataset, "lock");
    const { done, next } = await undoRows(tx, undo, of.id, from === null ? null : { id: from });
    return { ...sums(done), at: next ?? END };
  };

/** How many rows were deleted, got their former values, and were left; a row that two batches reach counts once. */
function sums(done: readonly UndoneRecord[]): Omit<UndoneBatch, "at"> {
  let [deleted, restored, left] = [0, 0, 0];
  for (const { outcome, kept, earlier } of done) {
    if (outcome === "deleted") deleted += 1;
    if (outcome === "deleted" && earlier?.written === true) restored -= 1;
    if (outcome === "put_back" && earlier?.written !== true) restored += 1;
    if (kept.length > 0 && earlier?.kept !== true) left += 1;
  }
  return { deleted, restored, left };
}
