import { aggregateLeads } from "../../../domain/leads/figures/aggregate-leads.ts";
import { queryLeads } from "../../../domain/leads/read/query-leads.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Call } from "../protocol/registry.ts";
import { fitRecord } from "../tools/shared/size.ts";

/** The fields that a prompt shows of each lead in a list. */
const SHORT = [
  ...["name", "email", "phone", "company", "status", "source", "score", "value", "currency", "owner_id"],
  ...["tags", "do_not_contact", "created_at", "last_activity_at"],
];

const LEAD_BYTES = 1_000;

/** Returns leads in short, and how many match, counted up to 10,000. */
export async function someLeads(
  { service, caller }: Call,
  query: { filter?: object; sort?: object[]; limit: number },
): Promise<object> {
  const page = await perform(service, queryLeads, caller, { ...query, fields: SHORT });
  const leads = (JSON.parse(page.json) as Record<string, unknown>[]).map((lead) => {
    return fitRecord(lead, LEAD_BYTES).record;
  });
  return { total: page.total, total_relation: page.totalRelation, shown: leads.length, leads };
}

/** Returns figures by group, at most thirty groups. */
export async function figures({ service, caller }: Call, query: object): Promise<object> {
  const { json, totalGroups } = await perform(service, aggregateLeads, caller, { limit: 30, ...query });
  return { groups: JSON.parse(json) as object[], total_groups: totalGroups };
}

export const inLast = (field: string, n: number): object => ({
  field,
  op: "in_last",
  value: { n, unit: "day" },
});
export const olderThan = (field: string, n: number): object => ({
  field,
  op: "older_than",
  value: { n, unit: "day" },
});
