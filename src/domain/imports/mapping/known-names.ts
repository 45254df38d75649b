import { isKnownHeader, plainHeader } from "./header-words.ts";

/** Returns whether a cell is a name that columns commonly have: of a dataset's columns or, without them, of leads'. */
export function knownNames(columns?: readonly { key: string; label: string }[]): (cell: string) => boolean {
  if (columns === undefined) return isKnownHeader;
  const names = new Set(columns.flatMap(({ key, label }) => [plainHeader(key), plainHeader(label)]));
  return (cell) => names.has(plainHeader(cell));
}
