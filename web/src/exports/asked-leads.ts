import type { Filter } from "../../../src/contract/nouns/filter.ts";
import type { View } from "../../../src/contract/nouns/view.ts";
import { both, isFilter } from "../filter/model/filter.ts";

/** Returns the query of an export that combines a view with an additional filter. */
export function askedLeads(view: View | undefined, filter: Filter | undefined): Record<string, unknown> {
  const { filter: given, search, sort, timezone } = view?.query ?? {};
  const all = both(isFilter(given) ? given : undefined, filter);
  return {
    ...(all === undefined ? {} : { filter: all }),
    ...(typeof search === "string" && search !== "" ? { search } : {}),
    ...(sort === undefined ? {} : { sort }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}
