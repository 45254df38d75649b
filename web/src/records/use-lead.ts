import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ApiError } from "../api/api-error.ts";
import { keyOf, useApi, useRead } from "../api/queries.ts";
import { type Lead, type LeadEvent, leadPath } from "./lead.ts";

/** What a lead's id led to. A `deleted` lead can be restored; `into` is the lead that a merged one became part of. */
export type Found = { lead: Lead; deleted: boolean } | { into: string } | { none: true };

/** Reads a lead by its id, or what became of it. */
export function useLead(id: string): UseQueryResult<Found> {
  const { projectId, get } = useApi();
  return useQuery({
    queryKey: keyOf(projectId, "leads", "one", id),
    queryFn: async ({ signal }): Promise<Found> => {
      try {
        return { lead: await get<Lead>(leadPath(id), { signal }), deleted: false };
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        const into = error.code === "merged" ? error.details[0]?.message : undefined;
        if (into !== undefined) return { into };
      }
      try {
        return { lead: await get<Lead>(`${leadPath(id)}?deleted=true`, { signal }), deleted: true };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return { none: true };
        throw error;
      }
    },
  });
}

/** The newest 500 changes of the lead's own fields, which show where its values came from. */
export function useChanges(id: string): UseQueryResult<{ events: LeadEvent[]; next_cursor: string | null }> {
  return useRead("events", `${leadPath(id)}/events?types=lead.*&limit=500`);
}
