import { useQuery } from "@tanstack/react-query";
import { keyOf, useApi } from "../api/queries.ts";

/** The number of leads of each status; undefined until loaded. */
export function useStatusCounts(): ReadonlyMap<string, number> | undefined {
  const { projectId, call } = useApi();
  const { data } = useQuery({
    queryKey: keyOf(projectId, "leads", "by status"),
    queryFn: ({ signal }) =>
      call("POST", "/v1/leads/aggregate", { body: { group_by: [{ field: "status" }] }, signal }),
  });
  return (
    data &&
    new Map(data.groups.map(({ key, metrics }) => [String(key.status ?? ""), Number(metrics.count ?? 0)]))
  );
}
