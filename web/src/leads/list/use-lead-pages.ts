import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type CursorPage, keyOf, useApi } from "../../api/queries.ts";
import { asked } from "../../filter/model/filter.ts";
import type { Lead } from "../../records/lead.ts";
import { reversed } from "../../table/sort.ts";
import type { LeadsQuery } from "./use-leads-query.ts";

const PAGE = 100;

/** A page, and from which end of the list it was read. */
export type LeadPage = CursorPage<"leads", Lead> & { from?: "start" | "end" };

/**
 * The leads, page by page from the first, or from the last backwards. They stay in the order in which they came while one
 * works, so that nothing jumps; a new question ends the one before, whose answer stays until the new one is there.
 */
export function useLeadPages(query: LeadsQuery, from: "start" | "end", ready: boolean) {
  const { projectId, send } = useApi();
  const sort = from === "start" ? query.sort : reversed(query.sort);
  const pages = useInfiniteQuery({
    queryKey: keyOf(projectId, "leads", "table", asked(query), sort),
    queryFn: async ({ pageParam: cursor, signal }): Promise<LeadPage> => {
      const body = {
        ...asked(query),
        ...(sort.length > 0 && { sort }),
        limit: PAGE,
        ...(cursor !== null && { cursor }),
      };
      return { ...(await send<LeadPage>("POST", "/v1/leads/search", body, { signal })), from };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    enabled: ready,
  });
  const { data } = pages;
  // what is seen may still be the list as it was read from the other end
  const seen = data?.pages[0]?.from ?? from;
  const leads = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.leads) ?? [];
    return seen === "end" ? all.reverse() : all;
  }, [data, seen]);
  return { ...pages, leads, seen };
}

/** How many leads there are; `gte` where there are more than are counted while one looks. */
export interface LeadCount {
  count: number;
  relation: "eq" | "gte";
}

export function useTotal(query: LeadsQuery, ready: boolean) {
  const { projectId, send } = useApi();
  return useQuery({
    queryKey: keyOf(projectId, "leads", "total", asked(query)),
    queryFn: ({ signal }) => send<LeadCount>("POST", "/v1/leads/count", asked(query), { signal }),
    placeholderData: keepPreviousData,
    enabled: ready,
  });
}
