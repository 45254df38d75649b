import { useState } from "react";
import type { FailedRow } from "../../../../src/contract/imports/import-rows.ts";

/** Corrected rows: all cells of each, by the line number where it starts. */
export type Fixes = Readonly<Record<string, readonly string[]>>;

const placeOf = (id: string): string => `leadgate fixes ${id}`;

const isFixes = (value: unknown): value is Fixes =>
  typeof value === "object" && value !== null && Object.values(value).every(Array.isArray);

/** Reads an import's corrections from this tab's storage, so that a reload keeps them. */
function keptFixes(id: string): Fixes {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(placeOf(id)) ?? "{}");
    return isFixes(value) ? value : {};
  } catch {
    return {};
  }
}

export function keepFixes(id: string, fixes: Fixes): void {
  try {
    if (Object.keys(fixes).length === 0) sessionStorage.removeItem(placeOf(id));
    else sessionStorage.setItem(placeOf(id), JSON.stringify(fixes));
  } catch {
    // storage is disabled or full: the corrections last until the page is closed
  }
}

/** Returns the corrections with a cell changed; a row that equals the file's again is left out. */
export function withCell(
  fixes: Fixes,
  { row, cells }: FailedRow,
  width: number,
  place: number,
  text: string,
): Fixes {
  const was = Array.from({ length: width }, (_, i) => cells[i] ?? "");
  const now = (fixes[row] ?? was).map((cell, i) => (i === place ? text : cell));
  const { [row]: _, ...others } = fixes;
  return now.every((cell, i) => cell === was[i]) ? others : { ...others, [row]: now };
}

/** The corrections of an import's failed rows. */
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
