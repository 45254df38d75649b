import { useQueryClient } from "@tanstack/react-query";
import type { ViewQuery } from "../../../../src/contract/leads/query.ts";
import type { NewView, View } from "../../../../src/contract/views.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { useDone } from "../../changes/use-done.ts";
import { failed } from "../../parts/toast.ts";
import { fieldNames, leadSort } from "../../records/lead-query.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import type { LeadsQuery } from "../list/use-leads-query.ts";
import { VIEW_REFUSALS, VIEW_WORDS } from "./view-words.ts";

/** What a view stores. */
export const viewQueryOf = ({ filter, search, sort }: LeadsQuery, fields: readonly string[]): ViewQuery => ({
  ...(filter !== undefined && { filter }),
  ...(search !== "" && { search }),
  ...(sort.length > 0 && { sort: leadSort(sort) }),
  fields: fieldNames(fields),
});

type Change =
  | { create: NewView }
  | { update: View; query: ViewQuery }
  | { rename: View; name: string }
  | { remove: View };

/** Creates, changes and deletes views, and reports it with an undo. Returns the view, or undefined if it was deleted. */
export function useChangeViews() {
  const { projectId, write } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const words = useWords(VIEW_WORDS);
  const done = useDone();
  return useSubmit({
    async mutationFn(change: Change): Promise<{ said: string; view?: View; change: string | null }> {
      if ("create" in change) {
        const { answer, change: made } = await write("POST", "/v1/views", { body: change.create });
        return { said: words.saved, view: answer, change: made };
      }
      if ("remove" in change) {
        const { id, version } = change.remove;
        const { change: made } = await write("DELETE", "/v1/views/{id}", {
          params: { id },
          ifMatch: version,
        });
        return { said: words.removed, change: made };
      }
      const [view, body, said] =
        "update" in change
          ? [change.update, { query: change.query }, words.updated]
          : [change.rename, { name: change.name }, words.renamed];
      const { id, version: ifMatch } = view;
      const { answer, change: made } = await write("PATCH", "/v1/views/{id}", {
        params: { id },
        body,
        ifMatch,
      });
      return { said, view: answer, change: made };
    },
    async onSuccess({ said, change }) {
      await queries.invalidateQueries({ queryKey: keyOf(projectId, "views") });
      done(said, change);
    },
    onError(error) {
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "views") });
      failed(locale, error, VIEW_REFUSALS[locale]);
    },
  });
}
