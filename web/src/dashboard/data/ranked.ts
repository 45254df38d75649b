import type { Groups } from "./figures.ts";

/** One value of a text with how many leads have it. */
interface Ranked {
  value: string;
  count: number;
}

export interface Ranking {
  top: readonly Ranked[];
  /** Leads of all values that are not at the top. */
  others: number;
  /** Leads without a value. */
  none: number;
}

/** So many have a row of their own. */
const TOP = 7;

/** The commonest values; `all` is how many leads there are, which counts what the service did not tell one by one. */
export function ranked({ groups, total_groups }: Groups, field: string, all: number | undefined): Ranking {
  const values = groups.flatMap(({ key, metrics }): Ranked[] => {
    const value = key[field];
    return value == null ? [] : [{ value, count: metrics.count }];
  });
  // one more has a row too, rather than a row for "others" that are one
  const top = values.length === TOP + 1 && groups.length === total_groups ? values : values.slice(0, TOP);
  const none = groups.find(({ key }) => key[field] == null)?.metrics.count ?? 0;
  const sum = (list: readonly Ranked[]) => list.reduce((total, { count }) => total + count, 0);
  const rest = groups.length === total_groups || all === undefined ? sum(values) : all - none;
  return { top, none, others: Math.max(0, rest - sum(top)) };
}
