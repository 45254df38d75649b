import type { LeadFigures } from "../../../src/contract/leads/figures.ts";

/** Groups of leads with their number and their value. */
export interface Groups {
  groups: readonly {
    /** What the leads share, by field; null for those without a value. */
    key: Readonly<Record<string, string | null>>;
    metrics: { count: number; sum_value: number | null };
  }[];
  total_groups: number;
}

/** Returns the groups of an answer: those by fields that hold text, with the figures that the panel requests. */
export const groupsOf = ({ groups, total_groups }: LeadFigures): Groups => ({
  groups: groups.map(({ key, metrics: { count, sum_value } }) => ({
    key: Object.fromEntries(
      Object.entries(key).map(([field, value]) => [field, typeof value === "string" ? value : null]),
    ),
    metrics: { count: Number(count ?? 0), sum_value: typeof sum_value === "number" ? sum_value : null },
  })),
  total_groups,
});
