import { useQueryClient } from "@tanstack/react-query";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { useDone } from "../../changes/use-done.ts";
import { failed } from "../../parts/toast.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { LEAD_WORDS } from "../context/lead-words.ts";

/** Deletes a lead with an undo, and restores it. */
export function useDeletion(id: string) {
  const { projectId, write } = useApi();
  const done = useDone();
  const queries = useQueryClient();
  const locale = useLocale();
  const words = useWords(LEAD_WORDS);
  const refresh = () =>
    Promise.all(
      ["leads", "events", "duplicates"].map((noun) =>
        queries.invalidateQueries({ queryKey: keyOf(projectId, noun) }),
      ),
    );
  const restore = useSubmit({
    mutationFn: () => write("POST", "/v1/leads/{id}/restore", { params: { id } }),
    onSuccess: async ({ change }) => {
      await refresh();
      done(words.restored, change);
    },
    onError: (error) => failed(locale, error, undefined, () => restore.mutate()),
  });
  const remove = useSubmit({
    mutationFn: () => write("DELETE", "/v1/leads/{id}", { params: { id } }),
    onSuccess: async ({ change }) => {
      await refresh();
      done(words.deleted, change);
    },
    onError: (error) => failed(locale, error),
  });
  return { remove, restore };
}
