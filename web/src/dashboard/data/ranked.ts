import type { Groups } from "../../records/groups.ts";

/** One value of a text field with its number of leads. */
interface Ranked {
  value: string;
  count: number;
}

export interface Ranking {
  top: readonly Ranked[];
  /** Leads with any value outside the top. */
  others: number;
  /** Leads without a value. */
  none: number;
}

/** The number of values with a row of their own. */
const TOP = 7;

/** The most common values. `all` is the number of leads, including those in groups that the service did not return. */
export function ranked({ groups, total_groups }: Groups, field: string, all: number | undefined): Ranking {
  const values = groups.flatMap(({ key, metrics }): Ranked[] => {
    const value = key[field];
    return value == null ? [] : [{ value, count: metrics.count }];
  });
  // one more value gets its row too, instead of an "others" row for a single value
  const top = values.length === TOP + 1 && groups.length === total_groups ? values : values.slice(0, TOP);
  const none = groups.find(({ key }) => key[field] == null)?.metrics.count ?? 0;
  const sum = (list: readonly Ranked[]) => list.reduce((total, { count }) => total + count, 0);
  const rest = groups.length === total_groups || all === undefined ? sum(values) : all - none;
  return { top, none, others: Math.max(0, rest - sum(top)) };
}
