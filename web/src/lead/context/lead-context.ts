import { createContext, use } from "react";
import type { ApiError } from "../../api/api-error.ts";
import type { Lead, LeadEvent } from "../../records/lead.ts";
import type { ProjectSchema } from "../../records/project-schema.ts";

/**
 * Saves one field; returns the service's refusal, undefined where the value was saved or the person has to settle a conflict.
 * `said` replaces the text of the toast; an optimistic value is shown before it is saved.
 */
export type SaveField = (
  field: string,
  value: unknown,
  how?: { said?: string; optimistic?: boolean },
) => Promise<ApiError | undefined>;

/** The lead on the screen, and what every part of it needs to know. */
export interface LeadHere extends ProjectSchema {
  lead: Lead;
  mayWrite: boolean;
  /** The newest changes of its fields; undefined until they are known. */
  changes: readonly LeadEvent[] | undefined;
  save: SaveField;
}

export const LeadContext = createContext<LeadHere | undefined>(undefined);

export function useLeadHere(): LeadHere {
  const here = use(LeadContext);
  if (here === undefined) throw new Error("a part of a lead stands outside of its screen");
  return here;
}
