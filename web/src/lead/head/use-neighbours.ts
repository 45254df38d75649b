import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { LeadSearch, ViewQuery } from "../../../../src/contract/leads/query.ts";
import type { View } from "../../../../src/contract/views.ts";
import type { Answer } from "../../api/call.ts";
import { keyOf, useApi, useViews } from "../../api/queries.ts";
import { isFilter, leadSort } from "../../records/lead-query.ts";
import { sortPiece } from "../../table/sort.ts";

/** The position of a lead in the list the person comes from. */
export interface Neighbours {
  previous: string | undefined;
  next: string | undefined;
  place: number;
  /** The number of leads loaded; `more` if the list goes on. */
  of: number;
  more: boolean;
}

interface List {
  ids: string[];
  more: boolean;
}

/** The most pages of 500 that are searched for the lead; from further down there are no neighbours. */
const MOST_PAGES = 10;

/** The body of a search for a list (`leads?view=…&q=…`); undefined for a list without a single order. */
function searchFor(place: string, views: readonly View[]): LeadSearch | undefined {
  const [path, query = ""] = place.split("?", 2);
  if (path !== "leads" && path !== "board") return undefined;
  const asked = new URLSearchParams(query);
  const view: ViewQuery = views.find(({ id }) => id === asked.get("view"))?.query ?? {};
  const search = asked.get("q") ?? view.search;
  const order = sortPiece.read(asked.get("sort"));
  const sort = order === undefined ? view.sort : leadSort(order);
  const given = asked.get("filter");
  let filter: unknown = view.filter;
  try {
    if (given !== null) filter = JSON.parse(given);
  } catch {
    return undefined;
  }
  return {
    ...(search && { search }),
    ...(sort !== undefined && sort.length > 0 && { sort }),
    ...(isFilter(filter) && filter !== undefined && { filter }),
  };
}

/** The leads before and after this one in the list at `place`; undefined until loaded, or if there are none. */
export function useNeighbours(id: string, place: string): Neighbours | undefined {
  const { projectId, call } = useApi();
  const views = useViews();
  const body = views.data === undefined ? undefined : searchFor(place, views.data.views);
  const { data: ids } = useQuery<List>({
    queryKey: keyOf(projectId, "neighbours", body, id),
    enabled: body !== undefined,
    staleTime: 60_000,
    // keep the list as it was: a lead that is changed so that it leaves the list still has a next one
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, client }): Promise<List> => {
      const known = client
        .getQueriesData<List>({ queryKey: keyOf(projectId, "neighbours", body) })
        .map(([, list]) => list)
        .find((list) => list?.ids.includes(id));
      if (known !== undefined) return known;
      const ids: string[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const asked: LeadSearch = { ...body, fields: ["id"], limit: 500, ...(cursor !== null && { cursor }) };
        const answer: Answer<"POST", "/v1/leads/search"> = await call("POST", "/v1/leads/search", {
          body: asked,
          signal,
        });
        ids.push(...answer.leads.map((lead) => lead.id));
        cursor = answer.next_cursor;
        // one page beyond the lead's own, so that it has a next one
        if (cursor === null || ids.indexOf(id) >= 0) break;
      }
      return { ids, more: cursor !== null };
    },
  });
  const at = ids?.ids.indexOf(id) ?? -1;
  if (ids === undefined || at < 0) return undefined;
  return {
    previous: ids.ids[at - 1],
    next: ids.ids[at + 1],
    place: at + 1,
    of: ids.ids.length,
    more: ids.more,
  };
}
