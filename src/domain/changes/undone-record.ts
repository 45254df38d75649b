import type { Actor } from "../../contract/basics/actor.ts";
import type { KeptReason, UndoOutcome } from "../../contract/lists/changes.ts";

/** A field that an undo left alone, and why; the last three say who changed it since. */
export interface KeptField {
  /** Null for the whole record. */
  field: string | null;
  reason: KeptReason;
  by?: Actor;
  change_id?: string | null;
  at?: string;
}

/** What an undo did to one record. */
export interface UndoneRecord {
  kind: "lead" | "row" | "field" | "statuses" | "untracked" | "view";
  id: string;
  datasetId?: string;
  outcome: UndoOutcome;
  /** The fields that got their former values. */
  putBack: readonly string[];
  kept: readonly KeptField[];
}
