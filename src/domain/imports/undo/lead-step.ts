import type { UndoneRecord } from "../../changes/undone-record.ts";
import { putBackTaken } from "../../leads/undo/taken-ids.ts";
import { undoLeads } from "../../leads/undo/undo-leads.ts";
import { END, type UndoStep } from "./undo-step.ts";

/** Behind all ids of leads: external ids that waited for other leads are left. */
const TAKEN = "~";

/**
 * Undoes some hundred leads: created ones are deleted, changed ones get their old values. Leads and fields edited since
 * stay and are listed, and so does an external id whose former one another lead has by now.
 */
export const leadStep: UndoStep = async (tx, undo, of, from) => {
  if (from === TAKEN) {
    const { first, freed } = await putBackTaken(tx, undo, of);
    return { deleted: 0, restored: first, left: -freed, at: END };
  }
  const { done, next } = await undoLeads(tx, undo, of, from ?? "");
  const count = (wanted: UndoneRecord["outcome"]) => done.filter(({ outcome }) => outcome === wanted).length;
  const left = done.filter(({ kept }) => kept.length > 0).length;
  return { deleted: count("deleted"), restored: count("put_back"), left, at: next ?? TAKEN };
};
