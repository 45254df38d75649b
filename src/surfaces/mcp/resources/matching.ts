/** The ids of things whose id begins as somebody typed, or one of whose names has it, without regard to case. */
export function matching<T extends { id: string }>(
  typed: string,
  things: readonly T[],
  namesOf: (thing: T) => readonly string[],
): string[] {
  const wanted = typed.trim().toLowerCase();
  const fits = (thing: T) =>
    thing.id.startsWith(wanted) || namesOf(thing).some((name) => name.toLowerCase().includes(wanted));
  return things.filter(fits).map(({ id }) => id);
}
