import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Lead } from "../../../src/contract/leads/lead.ts";
import { ApiError } from "../api/api-error.ts";
import { keyOf, useApi, useRead } from "../api/queries.ts";

/** What a lead's id led to. A `deleted` lead can be restored; `into` is the lead that a merged one became part of. */
export type Found = { lead: Lead; deleted: boolean } | { into: string } | { none: true };

/** Reads a lead by its id, or what became of it. */
export function useLead(id: string): UseQueryResult<Found> {
  const { projectId, call } = useApi();
  return useQuery({
    queryKey: keyOf(projectId, "leads", "one", id),
    queryFn: async ({ signal }): Promise<Found> => {
      try {
        const lead = await call("GET", "/v1/leads/{id}", { params: { id }, signal });
        return { lead, deleted: false };
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        const into = error.code === "merged" ? error.details[0]?.message : undefined;
        if (into !== undefined) return { into };
      }
      try {
        const query = { deleted: true };
        const lead = await call("GET", "/v1/leads/{id}", { params: { id }, query, signal });
        return { lead, deleted: true };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return { none: true };
        throw error;
      }
    },
  });
}

/** The newest 500 changes of the lead's own fields, which show where its values came from. */
export const useChanges = (id: string) =>
  useRead("events", "/v1/leads/{id}/events", { params: { id }, query: { types: ["lead.*"], limit: 500 } });
