import type { Filter } from "../../../src/contract/filters/filter.ts";
import type { LeadsExport } from "../../../src/contract/leads/query.ts";
import type { View } from "../../../src/contract/views.ts";
import { both } from "../filter/model/filter.ts";

/** Which leads to export, and their order. */
export type LeadSelection = Pick<LeadsExport, "filter" | "search" | "sort" | "timezone">;

/** Returns the query of an export that combines a view with an additional filter. */
export function askedLeads(view: View | undefined, filter: Filter | undefined): LeadSelection {
  const { filter: given, search, sort, timezone } = view?.query ?? {};
  const all = both(given, filter);
  return {
    ...(all === undefined ? {} : { filter: all }),
    ...(search ? { search } : {}),
    ...(sort === undefined ? {} : { sort }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}
