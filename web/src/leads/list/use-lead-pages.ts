import { keepPreviousData, type QueryKey, useInfiniteQuery } from "@tanstack/react-query";
import { type RefObject, useMemo } from "react";
import type { FieldName } from "../../../../src/contract/filters/field-names.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { asked } from "../../filter/model/filter.ts";
import { leadSort } from "../../records/lead-query.ts";
import { isListed, type ListedLead } from "../../records/listed-lead.ts";
import { reversed } from "../../table/sort.ts";
import type { LeadsQuery } from "./use-leads-query.ts";

const PAGE = 100;

/** The key of a list of leads. */
export const pagesKey = (projectId: string, query: LeadsQuery, from: "start" | "end"): QueryKey =>
  keyOf(projectId, "leads", "table", asked(query), sortFrom(query, from));

const sortFrom = (query: LeadsQuery, from: "start" | "end") =>
  from === "start" ? query.sort : reversed(query.sort);

/** The body of a search for the leads of a list. */
export const searchOf = (query: LeadsQuery, from: "start" | "end") => {
  const sort = sortFrom(query, from);
  return { ...asked(query), ...(sort.length > 0 && { sort: leadSort(sort) }) };
};

/** A page, and the end of the list from which it was read. */
export interface LeadPage {
  leads: ListedLead[];
  next_cursor: string | null;
  from: "start" | "end";
}

/**
 * The leads, page by page, from the first or backwards from the last. They keep their order while the person works, so
 * that nothing jumps. A new query cancels the one before, whose leads stay visible until the new ones arrive. They have
 * the fields that were wanted when they were read.
 */
export function useLeadPages(
  query: LeadsQuery,
  from: "start" | "end",
  ready: boolean,
  fields: RefObject<readonly FieldName[]>,
) {
  const { projectId, call } = useApi();
  const pages = useInfiniteQuery({
    queryKey: pagesKey(projectId, query, from),
    queryFn: async ({ pageParam: cursor, signal }): Promise<LeadPage> => {
      const body = {
        ...searchOf(query, from),
        fields: [...fields.current],
        limit: PAGE,
        ...(cursor !== null && { cursor }),
      };
      const { leads, next_cursor } = await call("POST", "/v1/leads/search", { body, signal });
      return { leads: leads.filter(isListed), next_cursor, from };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    enabled: ready,
  });
  const { data } = pages;
  // the visible rows may still be the list as read from the other end
  const seen = data?.pages[0]?.from ?? from;
  const leads = useMemo(() => {
    const all = data?.pages.flatMap((page) => page.leads) ?? [];
    return seen === "end" ? all.reverse() : all;
  }, [data, seen]);
  return { ...pages, leads, seen };
}
