import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { Undone } from "../../leads/undo/undo-leads.ts";

/** Behind all records: nothing is left to undo. */
export const END = "";

/** What a step of an undo did to records, and where the next one continues. */
export interface UndoneBatch {
  deleted: number;
  restored: number;
  left: number;
  at: string;
}

/** Takes back the next part of what an import did, from the position where the last step ended; null at the start. */
export type UndoStep = (
  tx: Transaction,
  undo: Change,
  of: Undone,
  from: string | null,
) => Promise<UndoneBatch>;
