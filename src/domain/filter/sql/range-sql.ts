import type { Range } from "../tree/filter.ts";

/** A value between two edges, either of which may be missing. */
export function rangeSql<T>(value: string, { from, until }: Range<T>, sql: (at: T) => string): string {
  const parts: string[] = [];
  if (from !== undefined) parts.push(`${value} ${from.inclusive ? ">=" : ">"} ${sql(from.at)}`);
  if (until !== undefined) parts.push(`${value} ${until.inclusive ? "<=" : "<"} ${sql(until.at)}`);
  return parts.join(" AND ");
}
