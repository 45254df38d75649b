import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { type CursorPage, keyOf, useApi } from "../../api/queries.ts";
import { queryString } from "../../api/request.ts";
import { usePace } from "../../api/use-pace.ts";
import { type ImportRecord, isImportBusy } from "./import-record.ts";

type Pages = InfiniteData<CursorPage<"imports", ImportRecord>>;

/** The imports of leads or of a dataset, newest first; polled while one is in progress. */
export function useImports(dataset: string) {
  const { projectId, get } = useApi();
  const pace = usePace<Pages>(({ pages }) => pages.some(({ imports }) => imports.some(isImportBusy)));
  return useInfiniteQuery({
    queryKey: keyOf(projectId, "imports", "list", dataset),
    queryFn: ({ pageParam, signal }) =>
      get<CursorPage<"imports", ImportRecord>>(
        `/v1/imports${queryString({ limit: 30, cursor: pageParam, dataset: dataset || null })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: pace,
  });
}
