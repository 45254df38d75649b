import { createContext, use } from "react";
import type { Lead, LeadEvent } from "../../records/lead.ts";
import type { FieldFacts } from "../../records/project-schema.ts";
import type { Save } from "../../records/use-save.ts";

/** The lead on the screen, and what every part of it needs to know. */
export interface LeadHere extends FieldFacts {
  lead: Lead;
  mayWrite: boolean;
  /** The newest changes of its fields; undefined until they are known. */
  changes: readonly LeadEvent[] | undefined;
  save: Save;
}

export const LeadContext = createContext<LeadHere | undefined>(undefined);

export function useLeadHere(): LeadHere {
  const here = use(LeadContext);
  if (here === undefined) throw new Error("a part of a lead stands outside of its screen");
  return here;
}
