import { useQueryClient } from "@tanstack/react-query";
import { keyOf, useApi } from "../api/queries.ts";
import { useSubmit } from "../api/use-submit.ts";
import { useDone } from "../changes/use-done.ts";
import { failed } from "../parts/toast.ts";
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
  const { projectId, write } = useApi();
  const done = useDone();
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
    mutationFn: (id: string) => write("POST", "/v1/merges/{id}/undo", { params: { id }, body: {} }),
    onSuccess: async ({ answer: { kept = [] }, change }) => {
      await refresh();
      done(kept.length === 0 ? words.undone : group.kept(list(kept)), change);
    },
    onError: (error) => failed(locale, error, REFUSALS[locale]),
  });
  const merge = useSubmit({
    mutationFn: ({ survivor, other, prefer }: Merging) =>
      write("POST", "/v1/leads/{id}/merge", { params: { id: survivor }, body: { with: other, prefer } }),
    onSuccess: async ({ change }) => {
      await refresh();
      done(words.merged, change);
    },
    onError: async (error) => {
      failed(locale, error, REFUSALS[locale]);
      await refresh();
    },
  });
  return { merge, undo };
}
