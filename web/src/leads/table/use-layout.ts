import { useCallback, useMemo, useState } from "react";
import { useMe, useProject } from "../../session/me.ts";

/** How somebody has the table: which columns in which order, how wide, and which stay while one scrolls sideways. */
export interface Layout {
  columns: readonly string[];
  sizes: Readonly<Record<string, number>>;
  pinned: readonly string[];
}

const USUAL: Layout = {
  columns: [
    "name",
    "company",
    "status",
    "value",
    "email",
    "phone",
    "source",
    "owner_id",
    "tags",
    "created_at",
  ],
  sizes: {},
  pinned: ["name"],
};

const texts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

function stored(key: string): Partial<Layout> {
  try {
    const { columns, sizes, pinned } = JSON.parse(localStorage.getItem(key) ?? "{}") as Record<
      string,
      unknown
    >;
    return {
      ...(texts(columns) && { columns }),
      ...(texts(pinned) && { pinned }),
      ...(typeof sizes === "object" && sizes !== null && { sizes: sizes as Record<string, number> }),
    };
  } catch {
    return {};
  }
}

/** The layout of a view, or of all leads, as this person has it in this browser; `fields` are the view's columns. */
export function useLayout(viewId: string, fields: readonly string[] | undefined) {
  const { person } = useMe();
  const { id } = useProject();
  const key = `leadgate.leads.${person.id}.${id}.${viewId === "" ? "all" : viewId}`;
  const [changes, setChanges] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is stored changes with every change
  const own = useMemo(() => stored(key), [key, changes]);
  const layout = useMemo<Layout>(
    () => ({ ...USUAL, ...(fields !== undefined && { columns: fields }), ...own }),
    [own, fields],
  );
  const change = useCallback(
    (changed: Partial<Layout>) => {
      try {
        localStorage.setItem(key, JSON.stringify({ ...stored(key), ...changed }));
      } catch {
        // a browser that keeps nothing: the layout lasts as long as it is not left
      }
      setChanges((count) => count + 1);
    },
    [key],
  );
  /** The columns are again those of the view; sizes stay. */
  const asView = useCallback(() => {
    const { columns: _, ...rest } = stored(key);
    localStorage.setItem(key, JSON.stringify(rest));
    setChanges((count) => count + 1);
  }, [key]);
  const isChanged =
    viewId !== "" &&
    own.columns !== undefined &&
    JSON.stringify(own.columns) !== JSON.stringify(fields ?? USUAL.columns);
  return { layout, change, asView, isChanged };
}
