import { useQueryClient } from "@tanstack/react-query";
import type { DatasetChanges, DatasetInput } from "../../../../src/contract/datasets/datasets.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";

/** Creates, changes and deletes datasets, and invalidates every query that shows them. */
export function useChangeDataset() {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const settle = () => {
    void queries.invalidateQueries({ queryKey: keyOf(projectId, "datasets") });
    void queries.invalidateQueries({ queryKey: keyOf(projectId, "rows") });
  };
  const create = useSubmit({
    mutationFn: (body: DatasetInput) => call("POST", "/v1/datasets", { body }),
    onSuccess: settle,
  });
  const change = useSubmit({
    mutationFn: ({ id, version, patch }: { id: string; version: number; patch: DatasetChanges }) =>
      call("PATCH", "/v1/datasets/{id}", { params: { id }, body: patch, ifMatch: version }),
    onSuccess: (dataset, { id }) => queries.setQueryData(keyOf(projectId, "datasets", "one", id), dataset),
    onSettled: settle,
  });
  const remove = useSubmit({
    mutationFn: (id: string) => call("DELETE", "/v1/datasets/{id}", { params: { id } }),
    onSuccess(_, id) {
      queries.removeQueries({ queryKey: keyOf(projectId, "rows", id) });
      queries.removeQueries({ queryKey: keyOf(projectId, "datasets", "one", id) });
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "datasets") });
    },
  });
  return { create, change, remove };
}
