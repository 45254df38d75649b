import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Meaning } from "../../../src/contract/lists/figures.ts";
import { keyOf, useApi } from "../api/queries.ts";
import { useDone } from "../changes/use-done.ts";
import { failed } from "../parts/toast.ts";
import { useLocale } from "../words/use-words.ts";
import { REFUSALS } from "./status-words.ts";

/** A change of the list. It is applied to the current list, so that it does not revert someone else's change. */
export interface StatusChange {
  to(statuses: readonly string[]): string[];
  /** The new status for leads of a deleted status. */
  map?: Record<string, string>;
  /** What statuses mean; those left out stay. */
  meanings?: Record<string, Meaning>;
  said: string;
}

/** Changes the statuses, reports it, and reloads everything that shows them. */
export function useChangeStatuses() {
  const { projectId, call, write } = useApi();
  const done = useDone();
  const queries = useQueryClient();
  const locale = useLocale();
  return useMutation({
    async mutationFn({ to, map, meanings }: StatusChange) {
      const { statuses } = await call("GET", "/v1/statuses");
      return await write("PUT", "/v1/statuses", {
        body: { statuses: to(statuses), ...(map && { map }), ...(meanings && { meanings }) },
      });
    },
    onSuccess({ answer: list, change }, { said, map }) {
      queries.setQueryData(keyOf(projectId, "statuses", "/v1/statuses"), list);
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "fields") });
      if (map !== undefined) void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads") });
      done(said, change);
    },
    onError: (error) => failed(locale, error, REFUSALS[locale]),
  });
}
