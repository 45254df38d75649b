import { useQuery } from "@tanstack/react-query";
import { keyOf, useApi } from "../../api/queries.ts";
import { isGroupField } from "../../records/lead-query.ts";

const MOST = 100;

/** The most frequent values of a field of leads; requested when the person opens the list. */
export function useFrequentValues(field: string, wanted: boolean): readonly string[] {
  const { projectId, call } = useApi();
  const { data } = useQuery({
    queryKey: keyOf(projectId, "leads", "frequent", field),
    queryFn: ({ signal }) => {
      const group_by = isGroupField(field) ? [{ field }] : [];
      return call("POST", "/v1/leads/aggregate", { body: { group_by, limit: MOST }, signal });
    },
    enabled: wanted && field !== "",
    staleTime: 300_000,
    select: ({ groups }) =>
      groups.flatMap(({ key }) => {
        const value = key[field];
        return typeof value === "string" && value.trim() === value && value !== "" ? [value] : [];
      }),
  });
  return data ?? [];
}
