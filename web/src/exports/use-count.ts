import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keyOf, useApi } from "../api/queries.ts";
import type { LeadSelection } from "./asked-leads.ts";

/** The number of leads that would be exported, up to a bound. */
export function useCount(asked: LeadSelection) {
  const { projectId, call } = useApi();
  const { sort: _, ...body } = asked;
  return useQuery({
    queryKey: keyOf(projectId, "leads", "to export", body),
    queryFn: ({ signal }) => call("POST", "/v1/leads/count", { body, signal }),
    placeholderData: keepPreviousData,
  });
}
