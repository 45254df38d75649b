import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keyOf, useApi } from "../api/queries.ts";

interface Count {
  count: number;
  relation: "eq" | "gte";
}

/** The number of leads that would be exported, up to a bound. */
export function useCount(asked: Record<string, unknown>) {
  const { projectId, call } = useApi();
  const { filter, search, timezone } = asked;
  const body = JSON.parse(JSON.stringify({ filter, search, timezone })) as object;
  return useQuery({
    queryKey: keyOf(projectId, "leads", "to export", body),
    queryFn: ({ signal }) => call("POST", "/v1/leads/count", { body, signal }),
    placeholderData: keepPreviousData,
  });
}
