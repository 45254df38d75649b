import { type RefObject, useLayoutEffect, useRef } from "react";
import type { ListedLead } from "../../records/listed-lead.ts";

/** How many visible rows are looked at. */
const SEEN = 20;

/** Keeps the visible rows where they are when leads come or go above them; at the top, new ones are shown. */
export function useSteadyRows(
  scroller: RefObject<HTMLElement | null>,
  { name, leads, from }: { name: string; leads: readonly ListedLead[]; from: "start" | "end" },
  rowHeight: number,
): void {
  const before = useRef({ name, leads });
  useLayoutEffect(() => {
    const element = scroller.current;
    const old = before.current;
    before.current = { name, leads };
    if (element === null || old.name !== name || from === "end" || element.scrollTop < rowHeight) return;
    const first = Math.floor(element.scrollTop / rowHeight);
    const places = new Map(leads.map(({ id }, index) => [id, index]));
    // a row that was moved by its own change goes; the others stay
    const moves = old.leads.slice(first, first + SEEN).flatMap(({ id }, i) => {
      const now = places.get(id);
      return now === undefined ? [] : [now - first - i];
    });
    const by = moves.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0;
    if (by !== 0) element.scrollTop += by * rowHeight;
  }, [scroller, name, leads, from, rowHeight]);
}
