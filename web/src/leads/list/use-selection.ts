import { useMemo, useState } from "react";
import type { ListedLead } from "../../records/listed-lead.ts";

/** Which leads are selected: some, as they were when selected, or all that match. */
export type Selection = { all: true } | { all: false; leads: ReadonlyMap<string, ListedLead> };

const NONE: ReadonlyMap<string, ListedLead> = new Map();
const NOBODY: Selection = { all: false, leads: NONE };

/** The selection of leads; another query (`key`) starts with an empty one. */
export function useSelection(key: string) {
  const [{ of, chosen, anchor }, set] = useState({ of: key, chosen: NOBODY, anchor: "" });
  const selection = of === key ? chosen : NOBODY;
  return useMemo(() => {
    const some = selection.all ? NONE : selection.leads;
    const become = (next: Selection, from = anchor) => set({ of: key, chosen: next, anchor: from });
    return {
      selection,
      has: (id: string) => selection.all || some.has(id),
      clear: () => become(NOBODY, ""),
      chooseAll: () => become({ all: true }),
      /** Selects or deselects a lead; `through` selects the range from the last one that was clicked. */
      toggle(leads: readonly ListedLead[], index: number, through: boolean) {
        const lead = leads[index];
        if (lead === undefined) return;
        const next = new Map(selection.all ? leads.map((each) => [each.id, each]) : some);
        const from = leads.findIndex(({ id }) => id === anchor);
        if (through && from >= 0) {
          const [first, last] = from < index ? [from, index] : [index, from];
          for (const each of leads.slice(first, last + 1)) next.set(each.id, each);
        } else if (!next.delete(lead.id)) next.set(lead.id, lead);
        become({ all: false, leads: next }, lead.id);
      },
      /** Selects all loaded leads, or none. */
      toggleLoaded(leads: readonly ListedLead[]) {
        const whole = selection.all || (leads.length > 0 && leads.every(({ id }) => some.has(id)));
        become(whole ? NOBODY : { all: false, leads: new Map(leads.map((each) => [each.id, each])) });
      },
      count: selection.all ? undefined : some.size,
    };
  }, [selection, anchor, key]);
}
