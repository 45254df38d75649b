import { aggregateLeads } from "../../../../domain/leads/figures/aggregate-leads.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { readProjectCard } from "../../../../domain/projects/read-project-card.ts";
import type { Call } from "../../protocol/registry.ts";
import { outside } from "../shared/outside-text.ts";
import type { Asked } from "./summary-input.ts";

/** More are not named. */
const MOST = 10;

const HAS_VALUE = { field: "value", op: "is_not_empty" };

/**
 * Returns what figures of values are in: their currency and how many leads have a value, or a note if they add up several
 * currencies. Numbers alone do not show it. `within` selects the leads, with a further condition.
 */
export async function currenciesOf(
  call: Call,
  { groups, metrics }: Asked,
  within: (more: object) => object,
): Promise<object> {
  if (!metrics.some((name) => /^(sum|avg|median|min|max)_value$/.test(name))) return {};
  if (groups.some(({ field }) => field === "currency")) return {};
  const { service, caller } = call;
  const by = { ...within(HAS_VALUE), group_by: [{ field: "currency" }], limit: MOST };
  const { json } = await perform(service, aggregateLeads, caller, by);
  const found = JSON.parse(json) as { key: { currency: string | null }; metrics: { count: number } }[];
  if (found.length === 0) return {};
  const own = (await perform(service, readProjectCard, caller, {})).project.currency;
  const names = [...new Set(found.map(({ key }) => key.currency ?? own ?? "no currency"))];
  const valued = found.reduce((sum, { metrics: { count } }) => sum + count, 0);
  if (names.length === 1) return { currency: outside(names[0]), with_value: valued };
  return {
    currencies: `Values in ${outside(names.join(", "))} are added up; group_by currency separates them.`,
  };
}
