import { useMemo, useState } from "react";
import type { Row } from "../model/dataset.ts";

const NOBODY: ReadonlyMap<string, Row> = new Map();

/** The selected rows, as they were when selected. Another query (`key`) starts with none. */
export function useRowSelection(key: string) {
  const [{ of, rows, anchor }, set] = useState({ of: key, rows: NOBODY, anchor: "" });
  const chosen = of === key ? rows : NOBODY;
  return useMemo(() => {
    const become = (next: ReadonlyMap<string, Row>, from = anchor) =>
      set({ of: key, rows: next, anchor: from });
    return {
      chosen,
      clear: () => become(NOBODY, ""),
      /** Selects or deselects a row; `through` selects the range from the row toggled last. */
      toggle(all: readonly Row[], index: number, through: boolean) {
        const row = all[index];
        if (row === undefined) return;
        const next = new Map(chosen);
        const from = all.findIndex(({ _id }) => _id === anchor);
        if (through && from >= 0) {
          const [first, last] = from < index ? [from, index] : [index, from];
          for (const each of all.slice(first, last + 1)) next.set(each._id, each);
        } else if (!next.delete(row._id)) next.set(row._id, row);
        become(next, row._id);
      },
      toggleAll(all: readonly Row[]) {
        const whole = all.length > 0 && all.every(({ _id }) => chosen.has(_id));
        become(whole ? NOBODY : new Map(all.map((row) => [row._id, row])));
      },
    };
  }, [chosen, anchor, key]);
}
