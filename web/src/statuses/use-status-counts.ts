import { useQuery } from "@tanstack/react-query";
import { keyOf, useApi } from "../api/queries.ts";
import { groupsOf } from "../records/groups.ts";

/** The number of leads of each status; undefined until loaded. */
export function useStatusCounts(): ReadonlyMap<string, number> | undefined {
  const { projectId, call } = useApi();
  const { data } = useQuery({
    queryKey: keyOf(projectId, "leads", "by status"),
    queryFn: async ({ signal }) =>
      groupsOf(
        await call("POST", "/v1/leads/aggregate", { body: { group_by: [{ field: "status" }] }, signal }),
      ),
  });
  return data && new Map(data.groups.map(({ key, metrics }) => [key.status ?? "", metrics.count]));
}
