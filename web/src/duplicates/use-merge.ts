import { useQueryClient } from "@tanstack/react-query";
import { keyOf, useApi } from "../api/queries.ts";
import { useSubmit } from "../api/use-submit.ts";
import { done, failed } from "../parts/toast.ts";
import { sayWithUndo } from "../parts/undo-toast.tsx";
import { useFormat } from "../words/format.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { DUPLICATE_WORDS, GROUP, REFUSALS } from "./duplicate-words.ts";

/** The second lead is merged into the first; `prefer` names the fields that take the second lead's value. */
export interface Merging {
  survivor: string;
  other: string;
  prefer: Readonly<Record<string, "this" | "other">>;
}

/** Merges two leads, and undoes it. */
export function useMerge() {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const words = useWords(DUPLICATE_WORDS);
  const group = useWords(GROUP);
  const { list } = useFormat();
  const refresh = () =>
    Promise.all(
      ["leads", "events", "duplicates", "datasets"].map((noun) =>
        queries.invalidateQueries({ queryKey: keyOf(projectId, noun) }),
      ),
    );
  const undo = useSubmit({
    mutationFn: (id: string) => call("POST", "/v1/merges/{id}/undo", { params: { id } }),
    onSuccess: async ({ kept = [] }) => {
      await refresh();
      done(kept.length === 0 ? words.undone : group.kept(list(kept)));
    },
    onError: (error) => failed(locale, error, REFUSALS[locale]),
  });
  const merge = useSubmit({
    mutationFn: ({ survivor, other, prefer }: Merging) =>
      call("POST", "/v1/leads/{id}/merge", { params: { id: survivor }, body: { with: other, prefer } }),
    onSuccess: async ({ merge_id }) => {
      await refresh();
      sayWithUndo(words.merged, words.undo, () => undo.mutate(merge_id));
    },
    onError: async (error) => {
      failed(locale, error, REFUSALS[locale]);
      await refresh();
    },
  });
  return { merge, undo };
}
