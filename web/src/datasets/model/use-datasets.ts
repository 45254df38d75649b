import { useQuery } from "@tanstack/react-query";
import { type CursorPage, keyOf, useApi, useRead } from "../../api/queries.ts";
import { countRows } from "../../filter/rows/use-filter-check.ts";
import type { Dataset } from "./dataset.ts";

/** All datasets of the project; there are at most 100. */
export const useDatasets = () =>
  useRead<CursorPage<"datasets", Dataset>>("datasets", "/v1/datasets?limit=500", { staleTime: 60_000 });

export const datasetPath = (id: string): string => `/v1/datasets/${encodeURIComponent(id)}`;

/** A dataset by its id or key; polled while its columns are being changed. */
export function useDataset(id: string) {
  const { projectId, get } = useApi();
  return useQuery({
    queryKey: keyOf(projectId, "datasets", "one", id),
    queryFn: ({ signal }) => get<Dataset>(datasetPath(id), { signal }),
    refetchInterval: ({ state }) => (state.data?.change?.state === "running" ? 2_000 : false),
  });
}

/** The number of rows that match a filter and search; exact up to 10,000. */
export function useRowCount(dataset: string, asked: object = {}) {
  const { projectId, send } = useApi();
  return useQuery({
    queryKey: keyOf(projectId, "rows", dataset, "count", asked),
    queryFn: ({ signal }) => countRows(send, dataset, asked, signal),
    retry: false,
  });
}
