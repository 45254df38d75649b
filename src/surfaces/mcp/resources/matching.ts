import type { Completion } from "../protocol/registry.ts";

/**
 * Returns the ids of items whose id starts with the typed text, or one of whose names contains it,
 * case-insensitively. `more` says that further items exist.
 */
export function matching<T extends { id: string }>(
  typed: string,
  things: readonly T[],
  more: boolean,
  namesOf: (thing: T) => readonly string[],
): Completion {
  const wanted = typed.trim().toLowerCase();
  const fits = (thing: T) =>
    thing.id.startsWith(wanted) || namesOf(thing).some((name) => name.toLowerCase().includes(wanted));
  const ids = things.filter(fits).map(({ id }) => id);
  return more ? { first: ids } : ids;
}
