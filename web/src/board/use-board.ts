import { type QueryKey, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { keyOf, useApi } from "../api/queries.ts";
import { both } from "../filter/model/filter.ts";
import { groupsOf } from "../records/groups.ts";
import {
  type BoardQuery,
  CARD_FIELDS,
  type CardPage,
  type ColumnTotals,
  isBoardLead,
  SORTS,
  totalsOf,
} from "./board-cards.ts";

const PAGE = 40;

/** What a search for cards returns of each lead. */
export const CARD_PARTS: { fields: typeof CARD_FIELDS; include: readonly ["status_since"] } = {
  fields: CARD_FIELDS,
  include: ["status_since"],
};

export const columnKey = (projectId: string, query: BoardQuery, status: string): QueryKey =>
  keyOf(projectId, "leads", "board", query, status);

export const totalsKey = (projectId: string, { filter, search }: BoardQuery): QueryKey =>
  keyOf(projectId, "leads", "board totals", { filter, search });

/** The part of a search that selects the leads of a board, and further ones. */
export const selection = ({ filter, search }: BoardQuery, more?: BoardQuery["filter"]) => {
  const all = both(filter, more);
  return { ...(all === undefined ? {} : { filter: all }), ...(search === "" ? {} : { search }) };
};

/** The cards of a status, page by page. */
export function useColumn(query: BoardQuery, status: string, enabled: boolean) {
  const { projectId, call } = useApi();
  return useInfiniteQuery({
    queryKey: columnKey(projectId, query, status),
    queryFn: async ({ pageParam, signal }): Promise<CardPage> => {
      const { leads, next_cursor } = await call("POST", "/v1/leads/search", {
        body: {
          ...selection(query, { field: "status", op: "eq", value: status }),
          sort: SORTS[query.order],
          ...CARD_PARTS,
          limit: PAGE,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      });
      return { leads: leads.filter(isBoardLead), next_cursor };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    enabled,
  });
}

/** The number and value of the leads of each status, in one request for all columns. */
export function useTotals(query: BoardQuery, enabled: boolean) {
  const { projectId, call } = useApi();
  return useQuery<ColumnTotals>({
    queryKey: totalsKey(projectId, query),
    queryFn: async ({ signal }) =>
      totalsOf(
        groupsOf(
          await call("POST", "/v1/leads/aggregate", {
            body: {
              ...selection(query),
              group_by: [{ field: "status" }, { field: "currency" }],
              metrics: [{ op: "count" }, { op: "sum", field: "value" }],
              limit: 1_000,
            },
            signal,
          }),
        ),
      ),
    enabled,
    structuralSharing: false,
  });
}
