import type { Column } from "../../fields/column.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import { draftOf } from "./draft.ts";
import type { Contest, Guess, Guesses } from "./guess-mapping.ts";
import { plainHeader } from "./header-words.ts";
import { ROW_ID } from "./rows-target.ts";

/** Guesses a mapping to a dataset from headers, first by the columns' keys, then by their labels. */
export function guessRowMapping(
  profiles: readonly ColumnProfile[],
  columns: readonly Pick<Column, "key" | "label">[],
): Guess {
  const guesses: Guesses = new Map();
  const taken = new Set<string>();
  const ways: ((name: string) => string | undefined)[] = [
    (name) => (name === ROW_ID ? ROW_ID : columns.find(({ key }) => key === name)?.key),
    (name) => columns.find(({ key }) => plainHeader(key) === plainHeader(name))?.key,
    (name) => columns.find(({ label }) => plainHeader(label) === plainHeader(name))?.key,
  ];
  const found = new Map<string, string>();
  const wanted = new Map<string, ColumnProfile[]>();
  for (const way of ways) {
    for (const profile of profiles) {
      const { name, filled } = profile;
      // Names with an underscore are system fields or the reasons in a file of failed rows.
      if (name.startsWith("_") && name !== ROW_ID) continue;
      const key = found.has(name) || plainHeader(name) === "" ? undefined : way(name);
      if (key === undefined) continue;
      if (way !== ways[0] && filled > 0) wanted.set(key, [...(wanted.get(key) ?? []), profile]);
      if (taken.has(key)) continue;
      taken.add(key);
      found.set(name, key);
      guesses.set(name, { field: key, by: way === ways[0] ? "name" : "words" });
    }
  }
  const inOrder = profiles.flatMap(({ name }) => {
    const key = found.get(name);
    return key === undefined ? [] : [[name, key] as const];
  });
  // A column that is named exactly as its key is sure.
  const sure = new Set([...guesses.values()].flatMap(({ field, by }) => (by === "name" ? [field] : [])));
  const contests = [...wanted].flatMap(([field, all]): Contest[] => {
    const left = [...new Set(all)].filter(({ name }) => found.get(name) === field || !found.has(name));
    return left.length < 2 || sure.has(field) ? [] : [{ field, columns: left }];
  });
  return { draft: draftOf({ columns: Object.fromEntries(inOrder) }), guesses, contests };
}
