import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import type { RowFilter } from "../../../../src/contract/filters/filter.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { type AskedRecords, asked } from "../../filter/model/filter.ts";
import type { Sort } from "../../table/sort.ts";
import { isRow, type Row } from "../model/dataset.ts";

const PAGE = 100;

type Pages = InfiniteData<{ rows: Row[]; next_cursor: string | null }>;

export interface RowsAsked extends AskedRecords<RowFilter> {
  sort: readonly Sort[];
}

/** The rows page by page. They keep their order while the user works; a new version of the dataset refetches them. */
export function useRows({ id, version }: Dataset, query: RowsAsked) {
  const { projectId, call } = useApi();
  const { sort } = query;
  const pages = useInfiniteQuery({
    queryKey: keyOf(projectId, "rows", id, "grid", version, asked(query), sort),
    queryFn: async ({ pageParam: cursor, signal }) => {
      const body = {
        ...asked(query),
        ...(sort.length > 0 && { sort }),
        ...(cursor !== null && { cursor }),
        limit: PAGE,
      };
      const params = { id };
      const page = await call("POST", "/v1/datasets/{id}/query", { params, body, signal });
      return { ...page, rows: page.rows.filter(isRow) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  });
  const { data } = pages;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  return { ...pages, rows };
}

/** Changes the rows on screen without refetching, so that nothing moves. */
export function usePutRows(
  dataset: string,
): (to: (rows: readonly Row[], page: number) => readonly Row[]) => void {
  const { projectId } = useApi();
  const queries = useQueryClient();
  return useCallback(
    (to) => {
      const queryKey = keyOf(projectId, "rows", dataset, "grid");
      queries.setQueriesData<Pages>({ queryKey }, (data) =>
        data === undefined
          ? data
          : { ...data, pages: data.pages.map((page, i) => ({ ...page, rows: [...to(page.rows, i)] })) },
      );
      // a response under way does not contain this change and would revert it
      if (queries.isFetching({ queryKey }) > 0) void queries.invalidateQueries({ queryKey });
    },
    [projectId, dataset, queries],
  );
}

/** After a write: refetches the counts (or with `everywhere` all rows), and marks the datasets as stale. */
export function useRowsChanged(dataset: string): (how?: "here" | "everywhere") => void {
  const { projectId } = useApi();
  const queries = useQueryClient();
  return useCallback(
    (how = "here") => {
      const rows = keyOf(projectId, "rows", dataset, ...(how === "here" ? ["count"] : []));
      void queries.invalidateQueries({ queryKey: rows });
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "datasets"), refetchType: "none" });
    },
    [projectId, dataset, queries],
  );
}
