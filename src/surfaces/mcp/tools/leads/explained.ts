import type { ExplainedCondition } from "../../../../domain/leads/read/explain-filter.ts";
import { outside } from "../shared/outside-text.ts";

export type Explained = readonly ExplainedCondition[];

/** Returns why a lead matches a filter, or not. */
export function explainedFor(lead: string, conditions: Explained): object {
  const alternatives = Map.groupBy(conditions, ({ alternative }) => alternative);
  const matches =
    conditions.length === 0 || [...alternatives.values()].some((all) => all.every(({ met }) => met === true));
  return {
    lead,
    matches,
    conditions: conditions.map(({ alternative, condition, met, value }) =>
      outside({
        ...(alternatives.size > 1 ? { group: alternative } : {}),
        condition,
        met: met === true,
        ...(value === undefined ? {} : { lead_has: value ?? "no value" }),
      }),
    ),
    untrusted_content: ["conditions"],
  };
}

/** Returns which conditions make a filter find nothing; nothing if that could not be counted in time. */
export function emptyBecause(conditions: Explained): object {
  const culprits = conditions.filter(({ leads }) => leads === 0);
  const named = culprits.length > 0 ? culprits : conditions.filter(({ without = 0 }) => without > 0);
  if (named.length === 0) return {};
  return {
    empty_because: named.map(({ condition, leads = 0, without, nearest = [] }) => {
      const met =
        leads === 0 ? "No lead meets:" : leads === 1 ? "1 lead meets:" : `${count(leads)} leads meet:`;
      const others =
        leads > 0 && without !== undefined ? `; meeting all other conditions: ${count(without)}` : "";
      const meant = nearest.map(({ value, leads: those }) => `${value} (${count(those)})`).join(", ");
      return outside(`${met} ${condition}${others}${meant === "" ? "" : `. Nearest values: ${meant}`}.`);
    }),
    untrusted_content: ["leads", "empty_because"],
  };
}

const count = (leads: number): string => (leads >= 10_000 ? "10,000 or more" : leads.toLocaleString("en"));
