import { useQueryClient } from "@tanstack/react-query";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { failed } from "../../parts/toast.ts";
import { useLocale } from "../../words/use-words.ts";

/** An event as the panel writes it; with the same `external_id` it is recorded only once. */
export interface NewEvent {
  type: string;
  data: Readonly<Record<string, unknown>>;
  external_id?: string;
}

/** Adds an event to a lead's timeline. */
export function useAddEvent(leadId: string) {
  const { projectId, write } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  return useSubmit({
    mutationFn: (event: NewEvent) =>
      write("POST", "/v1/leads/{id}/events", { params: { id: leadId }, body: event }),
    onSuccess: () =>
      Promise.all(
        ["events", "leads"].map((noun) => queries.invalidateQueries({ queryKey: keyOf(projectId, noun) })),
      ),
    onError: (error) => failed(locale, error),
  });
}
