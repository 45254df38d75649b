import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { Column } from "../../fields/column.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import type { Guesses } from "./guess-mapping.ts";
import { plainHeader } from "./header-words.ts";
import { ROW_ID } from "./rows-target.ts";

/** Guesses a mapping to a dataset from headers, first by the columns' keys, then by their labels. */
export function guessRowMapping(
  profiles: readonly ColumnProfile[],
  columns: readonly Pick<Column, "key" | "label">[],
): { mapping: ImportMapping; guesses: Guesses } {
  const guesses: Guesses = new Map();
  const taken = new Set<string>();
  const ways: ((name: string) => string | undefined)[] = [
    (name) => (name === ROW_ID ? ROW_ID : columns.find(({ key }) => key === name)?.key),
    (name) => columns.find(({ key }) => plainHeader(key) === plainHeader(name))?.key,
    (name) => columns.find(({ label }) => plainHeader(label) === plainHeader(name))?.key,
  ];
  const found = new Map<string, string>();
  for (const way of ways) {
    for (const { name } of profiles) {
      // Names with an underscore are system fields or the reasons in a file of failed rows.
      if (name.startsWith("_") && name !== ROW_ID) continue;
      const key = found.has(name) || plainHeader(name) === "" ? undefined : way(name);
      if (key === undefined || taken.has(key)) continue;
      taken.add(key);
      found.set(name, key);
      guesses.set(name, { field: key, by: way === ways[0] ? "name" : "words" });
    }
  }
  const inOrder = profiles.flatMap(({ name }) => {
    const key = found.get(name);
    return key === undefined ? [] : [[name, key] as const];
  });
  return { mapping: { columns: Object.fromEntries(inOrder) }, guesses };
}
