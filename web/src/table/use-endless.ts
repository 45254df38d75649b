import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef } from "react";

/** How many rows before the end the next page is requested, so that scrolling rarely has to wait. */
const AHEAD = 150;
/** Placeholder rows for the page that is loading. */
const COMING = 8;

/** The scroll position of each list, restored when the person comes back from a lead. */
const places = new Map<string, number>();

/**
 * Virtual rows of one height over pages that load ahead. With `from: "end"`, pages are added at the top and the
 * visible rows stay in place. `name` identifies the list; a new name starts at the top.
 */
export function useEndless<Element extends HTMLElement>(list: {
  name: string;
  from: "start" | "end";
  count: number;
  hasMore: boolean;
  isLoading: boolean;
  load(): void;
  rowHeight: number;
  headHeight: number;
}) {
  const { name, from, count, hasMore, isLoading, load, rowHeight, headHeight } = list;
  const scroller = useRef<Element>(null);
  const coming = hasMore ? COMING : 0;
  const before = from === "end" ? coming : 0;
  const virtual = useVirtualizer({
    count: count + coming,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialOffset: () => places.get(name) ?? 0,
  });
  const items = virtual.getVirtualItems();
  const near =
    from === "start"
      ? (items.at(-1)?.index ?? 0) >= count - AHEAD
      : (items[0]?.index ?? count) < before + AHEAD;
  useEffect(() => {
    if (near && hasMore && !isLoading && count > 0) load();
  }, [near, hasMore, isLoading, count, load]);

  const last = useRef({ name, from, rows: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const rows = count + coming;
    const { current } = last;
    const isNew = current.name !== name || current.from !== from;
    if (isNew && current.rows > 0) element.scrollTop = 0;
    if (from === "end" && count > 0) {
      if (isNew || current.rows === 0) element.scrollTop = element.scrollHeight;
      else if (rows !== current.rows) element.scrollTop += (rows - current.rows) * rowHeight;
    }
    last.current = { name, from, rows: count > 0 ? rows : 0 };
  }, [name, from, count, coming, rowHeight]);

  useEffect(() => {
    const element = scroller.current;
    const keep = () => {
      if (element !== null) places.set(name, element.scrollTop);
    };
    element?.addEventListener("scroll", keep, { passive: true });
    return () => element?.removeEventListener("scroll", keep);
  }, [name]);

  return { scroller, virtual, items, before };
}
