export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

export const sameValue = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Returns what was added to a list and removed from it; undefined if neither value is a list, or nothing was. */
export function listDiff(from: unknown, to: unknown): { removed: string[]; added: string[] } | undefined {
  const [before, after] = [listOf(from), listOf(to)];
  if (before === undefined || after === undefined || !(Array.isArray(from) || Array.isArray(to)))
    return undefined;
  const removed = before.filter((each) => !after.includes(each));
  const added = after.filter((each) => !before.includes(each));
  return removed.length + added.length > 0 ? { removed, added } : undefined;
}

const listOf = (value: unknown): string[] | undefined =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value.map(String) : undefined;
