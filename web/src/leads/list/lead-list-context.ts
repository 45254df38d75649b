import { createContext, use } from "react";
import type { ListedLead } from "../../records/listed-lead.ts";
import type { UnsavedCells } from "../../records/unsaved-cells.ts";

/** What the rows need and do; the same object as long as the screen is shown. */
export interface LeadsActions {
  toggle(index: number, through: boolean): void;
  address(lead: ListedLead): string;
  /** Saves a value; `input` is what the editor had, `seen` the lead as the person saw it meanwhile. */
  save(lead: ListedLead, field: string, value: unknown, input: unknown, seen?: ListedLead): void;
  unsaved: UnsavedCells;
}

/** The outcome of editing a cell: a value to save, with the lead that the person saw, or nothing to keep. */
export type Edited = { value: unknown; input: unknown; seen: ListedLead } | "cancel";

/** What cells show that is not in the lead. */
export interface Known {
  statuses: readonly string[];
  people: ReadonlyMap<string, string>;
}

export const ActionsContext = createContext<LeadsActions | undefined>(undefined);
export const KnownContext = createContext<Known>({ statuses: [], people: new Map() });

export function useActions(): LeadsActions {
  const actions = use(ActionsContext);
  if (actions === undefined) throw new Error("a row needs the list of leads");
  return actions;
}
export const useKnown = (): Known => use(KnownContext);
