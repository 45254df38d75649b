import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { usePace } from "../../api/use-pace.ts";
import { isImportBusy } from "./import-record.ts";

/** The imports of leads or of a dataset, newest first; polled while one is in progress. */
export function useImports(dataset: string) {
  const { projectId, call } = useApi();
  const pace = usePace<InfiniteData<{ imports: Import[] }>>(({ pages }) =>
    pages.some(({ imports }) => imports.some(isImportBusy)),
  );
  return useInfiniteQuery({
    queryKey: keyOf(projectId, "imports", "list", dataset),
    queryFn: ({ pageParam, signal }) =>
      call("GET", "/v1/imports", {
        query: { limit: 30, cursor: pageParam, dataset: dataset || null },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: pace,
  });
}
