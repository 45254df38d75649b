import { aggregateLeads } from "../../../../domain/leads/figures/aggregate-leads.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { readProjectCard } from "../../../../domain/projects/read-project-card.ts";
import type { Call } from "../../protocol/registry.ts";
import { outside } from "../shared/outside-text.ts";
import { isMoney } from "./figures.ts";
import type { Asked } from "./summary-input.ts";

/** More are not named. */
const MOST = 10;

const HAS_VALUE = { field: "value", op: "is_not_empty" };

/** What amounts are in: one currency, or which there are. */
export interface Money {
  shown: object;
  /** The currencies of the leads that have a value. */
  of: readonly string[];
  /** The currency whose amounts put groups in order. */
  main?: string;
}

/**
 * Returns the currency of amounts and how many leads have a value, or a note if there are several currencies, which are
 * never added up. Numbers alone do not show it. `within` selects the leads, with a further condition.
 */
export async function currenciesOf(
  call: Call,
  { metrics }: Asked,
  within: (more: object) => object,
): Promise<Money> {
  if (!metrics.some(isMoney)) return { shown: {}, of: [] };
  const { service, caller } = call;
  const by = { ...within(HAS_VALUE), group_by: [{ field: "currency" }], limit: MOST };
  const { json } = await perform(service, aggregateLeads, caller, by);
  const found = JSON.parse(json) as { key: { currency: string | null }; metrics: { count: number } }[];
  const of = found.map(({ key }) => key.currency ?? "");
  const [first, ...others] = of;
  if (first === undefined) return { shown: {}, of };
  const valued = found.reduce((sum, { metrics: { count } }) => sum + count, 0);
  const named = (name: string) => (name === "" ? "no currency" : name);
  if (others.length === 0)
    return { shown: { currency: outside(named(first)), with_value: valued }, of, main: first };
  const own = (await perform(service, readProjectCard, caller, {})).project.currency ?? "";
  return {
    shown: {
      currencies: `Values are in ${outside(of.map(named).join(", "))}, which are never added up: by_currency has each.`,
    },
    ...{ of, main: of.includes(own) ? own : first },
  };
}
