import { findLeadIds } from "../../../domain/leads/read/find-lead-ids.ts";
import { queryLeads } from "../../../domain/leads/read/query-leads.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Call, Completion } from "../protocol/registry.ts";

const MOST = 20;
const LONGEST = 200;

/** Returns the ids of leads whose id, name, e-mail, phone or company matches what was typed. */
export async function completeLead({ service, caller }: Call, typed: string): Promise<Completion> {
  const words = typed.trim().slice(0, LONGEST);
  if (/^lead_[0-9a-z]{0,26}$/.test(words)) {
    const found = await perform(service, findLeadIds, caller, { beginning: words, limit: MOST + 1 });
    return found.length > MOST ? { first: found.slice(0, MOST) } : found;
  }
  const search = words === "" ? {} : { search: words };
  const page = await perform(service, queryLeads, caller, {
    ...search,
    fields: ["id"],
    limit: MOST,
    total: "none",
  });
  const ids = (JSON.parse(page.json) as { id: string }[]).map(({ id }) => id);
  return page.hasMore ? { first: ids } : ids;
}
