import type { Completion } from "../protocol/registry.ts";

/**
 * The ids of things whose id begins as somebody typed, or one of whose names has it, without regard to case. `more`
 * says that there are things beside these.
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
