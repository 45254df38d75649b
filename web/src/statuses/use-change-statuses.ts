import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keyOf, useApi } from "../api/queries.ts";
import { done, failed } from "../parts/toast.ts";
import { useLocale } from "../words/use-words.ts";
import { REFUSALS } from "./status-words.ts";

interface List {
  statuses: string[];
}

/** A change of the list: made of what the list is now, so that it does not undo what somebody else changed meanwhile. */
export interface StatusChange {
  to(statuses: readonly string[]): string[];
  /** What leads of a status that goes become. */
  map?: Record<string, string>;
  said: string;
}

/** Changes the statuses, says so, and has everything asked anew that shows them. */
export function useChangeStatuses() {
  const { projectId, get, send } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  return useMutation({
    async mutationFn({ to, map }: StatusChange) {
      const { statuses } = await get<List>("/v1/statuses");
      return await send<List>("PUT", "/v1/statuses", { statuses: to(statuses), ...(map && { map }) });
    },
    onSuccess(list, { said, map }) {
      queries.setQueryData(keyOf(projectId, "statuses", "/v1/statuses"), list);
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "fields") });
      if (map !== undefined) void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads") });
      done(said);
    },
    onError: (error) => failed(locale, error, REFUSALS[locale]),
  });
}
