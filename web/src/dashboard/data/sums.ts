import type { Groups } from "../../records/groups.ts";

/** An amount by currency; leads without a currency count in the project's. */
export type Sums = ReadonlyMap<string, number>;

export interface GroupTotal {
  count: number;
  sums: Sums;
}

/** The leads of several groups together: their number, and their value by currency. */
export function totalOf(
  groups: Groups["groups"],
  usual: string | null,
  takes: (key: Readonly<Record<string, string | null>>) => boolean = () => true,
): GroupTotal {
  const sums = new Map<string, number>();
  let count = 0;
  for (const { key, metrics } of groups) {
    if (!takes(key)) continue;
    count += metrics.count;
    const currency = (key.currency ?? usual ?? "").toUpperCase();
    if (metrics.sum_value != null) sums.set(currency, (sums.get(currency) ?? 0) + metrics.sum_value);
  }
  return { count, sums };
}

/** The currency to show first: the project's if it occurs, otherwise the one with the largest amount. */
export function mainOf(sums: Sums, usual: string | null): string {
  const own = (usual ?? "").toUpperCase();
  if (sums.has(own)) return own;
  return [...sums].sort(([, one], [, other]) => other - one)[0]?.[0] ?? own;
}
