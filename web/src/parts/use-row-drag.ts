import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter";
import { type RefObject, useEffect, useRef, useState } from "react";

const ROW = Symbol("row");

interface Row {
  list: string;
  id: string;
}

/**
 * Makes the row of a list draggable by its handle. `side` is where a row dragged over this one would be inserted.
 */
export function useRowDrag(row: {
  list: string;
  id: string;
  enabled: boolean;
  /** Another row was dropped above or below this one. */
  onDrop(id: string, side: "before" | "after"): void;
}): {
  ref: RefObject<HTMLLIElement | null>;
  handle: RefObject<HTMLButtonElement | null>;
  dragged: boolean;
  side: "before" | "after" | undefined;
} {
  const { list, id, enabled } = row;
  const ref = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const [dragged, setDragged] = useState(false);
  const [side, setSide] = useState<"before" | "after">();
  const latest = useRef(row.onDrop);
  latest.current = row.onDrop;
  useEffect(() => {
    const element = ref.current;
    if (element === null || handle.current === null || !enabled) return;
    const rowOf = (data: Record<string | symbol, unknown>) => data[ROW] as Row | undefined;
    const sideOf = (y: number) => {
      const { top, height } = element.getBoundingClientRect();
      return y < top + height / 2 ? "before" : "after";
    };
    const ends = [
      draggable({
        element,
        dragHandle: handle.current,
        getInitialData: () => ({ [ROW]: { list, id } satisfies Row }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => rowOf(source.data)?.list === list,
        onDrag: ({ source, location }) =>
          setSide(rowOf(source.data)?.id === id ? undefined : sideOf(location.current.input.clientY)),
        onDragLeave: () => setSide(undefined),
        onDrop({ source, location }) {
          setSide(undefined);
          const other = rowOf(source.data)?.id;
          if (other !== undefined && other !== id)
            latest.current(other, sideOf(location.current.input.clientY));
        },
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [list, id, enabled]);
  return { ref, handle, dragged, side };
}

/** Returns the list with an entry moved before or after another; unchanged if either is gone. */
export function placed<T>(list: readonly T[], entry: T, beside: T, side: "before" | "after"): T[] {
  const rest = list.filter((each) => each !== entry);
  const at = rest.indexOf(beside);
  if (at < 0 || rest.length === list.length) return [...list];
  return rest.toSpliced(side === "before" ? at : at + 1, 0, entry);
}
