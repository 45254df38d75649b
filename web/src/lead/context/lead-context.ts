import { createContext, use } from "react";
import type { Lead } from "../../../../src/contract/leads/lead.ts";
import type { Event as LeadEvent } from "../../../../src/contract/timeline/event.ts";
import type { ProjectSchema } from "../../records/project-schema.ts";

/**
 * Saves one field. Returns why it is not saved, or undefined if it was or the person must resolve a conflict. `said`
 * replaces the text of the toast; an optimistic value is shown before it is saved, and its failure in a toast; `seen` is
 * the lead that the person edited, if that is not the present one.
 */
export type SaveField = (
  field: string,
  value: unknown,
  how?: { said?: string; optimistic?: boolean; seen?: Lead },
) => Promise<{ error: unknown } | undefined>;

/** The lead on the screen, and what every part of the screen needs. */
export interface LeadHere extends ProjectSchema {
  lead: Lead;
  mayWrite: boolean;
  /** The newest changes of its fields; undefined until loaded. */
  changes: readonly LeadEvent[] | undefined;
  save: SaveField;
}

export const LeadContext = createContext<LeadHere | undefined>(undefined);

export function useLeadHere(): LeadHere {
  const here = use(LeadContext);
  if (here === undefined) throw new Error("a part of a lead needs the lead screen");
  return here;
}
