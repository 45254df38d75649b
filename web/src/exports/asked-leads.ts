import type { SavedView } from "../api/queries.ts";
import { both, type Filter, isFilter } from "../filter/model/filter.ts";

/** What an export asks for of a view's query and a filter besides. */
export function askedLeads(view: SavedView | undefined, filter: Filter | undefined): Record<string, unknown> {
  const { filter: given, search, sort, timezone } = view?.query ?? {};
  const all = both(isFilter(given) ? given : undefined, filter);
  return {
    ...(all === undefined ? {} : { filter: all }),
    ...(typeof search === "string" && search !== "" ? { search } : {}),
    ...(sort === undefined ? {} : { sort }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}
