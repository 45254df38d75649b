import { useQuery } from "@tanstack/react-query";
import type { RowSearch } from "../../../../src/contract/datasets/row-query.ts";
import { keyOf, useApi, useRead } from "../../api/queries.ts";
import { countRows } from "../../filter/rows/use-filter-check.ts";

/** All datasets of the project; there are at most 100. */
export const useDatasets = (kept: { enabled?: boolean } = {}) =>
  useRead("datasets", "/v1/datasets", { query: { limit: 500 }, staleTime: 60_000, ...kept });

/** A dataset by its id or key; polled while its columns are being changed. */
export function useDataset(id: string) {
  const { projectId, call } = useApi();
  return useQuery({
    queryKey: keyOf(projectId, "datasets", "one", id),
    queryFn: ({ signal }) => call("GET", "/v1/datasets/{id}", { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.change?.state === "running" ? 2_000 : false),
  });
}

/** The number of rows that match a filter and search; exact up to 10,000. */
export function useRowCount(dataset: string, asked: RowSearch = {}) {
  const { projectId, call } = useApi();
  return useQuery({
    queryKey: keyOf(projectId, "rows", dataset, "count", asked),
    queryFn: ({ signal }) => countRows(call, dataset, asked, signal),
    retry: false,
  });
}
