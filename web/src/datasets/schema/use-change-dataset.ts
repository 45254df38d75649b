import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keyOf, useApi } from "../../api/queries.ts";
import type { Dataset } from "../model/dataset.ts";
import { datasetPath } from "../model/use-datasets.ts";

/** Creates, changes and deletes datasets, and invalidates every query that shows them. */
export function useChangeDataset() {
  const { projectId, send } = useApi();
  const queries = useQueryClient();
  const settle = () => {
    void queries.invalidateQueries({ queryKey: keyOf(projectId, "datasets") });
    void queries.invalidateQueries({ queryKey: keyOf(projectId, "rows") });
  };
  const create = useMutation({
    mutationFn: (body: object) => send<Dataset>("POST", "/v1/datasets", body),
    onSuccess: settle,
  });
  const change = useMutation({
    mutationFn: ({ id, version, patch }: { id: string; version: number; patch: object }) =>
      send<Dataset>("PATCH", datasetPath(id), patch, { ifMatch: version }),
    onSuccess: (dataset, { id }) => queries.setQueryData(keyOf(projectId, "datasets", "one", id), dataset),
    onSettled: settle,
  });
  const remove = useMutation({
    mutationFn: (id: string) => send<void>("DELETE", datasetPath(id)),
    onSuccess(_, id) {
      queries.removeQueries({ queryKey: keyOf(projectId, "rows", id) });
      queries.removeQueries({ queryKey: keyOf(projectId, "datasets", "one", id) });
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "datasets") });
    },
  });
  return { create, change, remove };
}
