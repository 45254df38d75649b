import { useState } from "react";
import type { Failure } from "./use-failures.ts";

/** A failed row with its cells as they were fixed, by the line where it starts. */
export type Fixes = Readonly<Record<string, readonly string[]>>;

const placeOf = (id: string): string => `leadgate fixes ${id}`;

/** What was fixed of an import, kept in this tab alone, so that a reload loses none of it. */
function keptFixes(id: string): Fixes {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(placeOf(id)) ?? "{}");
    return typeof value === "object" && value !== null ? (value as Fixes) : {};
  } catch {
    return {};
  }
}

export function keepFixes(id: string, fixes: Fixes): void {
  try {
    if (Object.keys(fixes).length === 0) sessionStorage.removeItem(placeOf(id));
    else sessionStorage.setItem(placeOf(id), JSON.stringify(fixes));
  } catch {
    // the tab may keep nothing, or no more: the fixes last as long as the page then
  }
}

/** The fixes with another text in a cell; a row that is as it stood in the file again is none. */
export function withCell(
  fixes: Fixes,
  { row, cells }: Failure,
  width: number,
  place: number,
  text: string,
): Fixes {
  const was = Array.from({ length: width }, (_, i) => cells[i] ?? "");
  const now = (fixes[row] ?? was).map((cell, i) => (i === place ? text : cell));
  const { [row]: _, ...others } = fixes;
  return now.every((cell, i) => cell === was[i]) ? others : { ...others, [row]: now };
}

/** What was fixed of an import's failed rows. */
export function useFixes(id: string): [Fixes, (fixes: Fixes) => void] {
  const [fixes, setFixes] = useState(() => keptFixes(id));
  return [
    fixes,
    (next) => {
      keepFixes(id, next);
      setFixes(next);
    },
  ];
}
