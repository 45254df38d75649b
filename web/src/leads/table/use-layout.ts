import { useCallback, useMemo, useState } from "react";
import { useMe, useProject } from "../../session/me.ts";

/** The person's table layout: columns in order, widths, and pinned columns. */
export interface Layout {
  columns: readonly string[];
  sizes: Readonly<Record<string, number>>;
  pinned: readonly string[];
}

const NOTHING = { sizes: {}, pinned: ["name"] };

const texts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const numbers = (value: unknown): value is Record<string, number> =>
  typeof value === "object" &&
  value !== null &&
  Object.values(value).every((each) => typeof each === "number");

function stored(key: string): Partial<Layout> {
  try {
    const { columns, sizes, pinned }: Record<string, unknown> = JSON.parse(localStorage.getItem(key) ?? "{}");
    return {
      ...(texts(columns) && { columns }),
      ...(texts(pinned) && { pinned }),
      ...(numbers(sizes) && { sizes }),
    };
  } catch {
    return {};
  }
}

/** The layout of a view, or of all leads, for this person in this browser; until they change it, with these columns. */
export function useLayout(viewId: string, columns: readonly string[]) {
  const { person } = useMe();
  const { id } = useProject();
  const key = `leadgate.leads.${person.id}.${id}.${viewId === "" ? "all" : viewId}`;
  const [changes, setChanges] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stored layout changes with every change
  const own = useMemo(() => stored(key), [key, changes]);
  const layout = useMemo<Layout>(() => ({ ...NOTHING, columns, ...own }), [own, columns]);
  const change = useCallback(
    (changed: Partial<Layout>) => {
      try {
        localStorage.setItem(key, JSON.stringify({ ...stored(key), ...changed }));
      } catch {
        // the browser stores nothing: the layout lasts until the person leaves
      }
      setChanges((count) => count + 1);
    },
    [key],
  );
  /** Resets the columns to those of the view; widths stay. */
  const asView = useCallback(() => {
    const { columns: _, ...rest } = stored(key);
    localStorage.setItem(key, JSON.stringify(rest));
    setChanges((count) => count + 1);
  }, [key]);
  const isChanged =
    viewId !== "" && own.columns !== undefined && JSON.stringify(own.columns) !== JSON.stringify(columns);
  return { layout, change, asView, isChanged, isOwn: own.columns !== undefined };
}
