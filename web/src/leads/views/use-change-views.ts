import { useQueryClient } from "@tanstack/react-query";
import type { ViewQuery } from "../../../../src/contract/nouns/query.ts";
import type { NewView, View } from "../../../../src/contract/nouns/view.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { done, failed } from "../../parts/toast.ts";
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

/** Creates, changes and deletes views, and reports it. Returns the view, or undefined if it was deleted. */
export function useChangeViews() {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const words = useWords(VIEW_WORDS);
  return useSubmit({
    async mutationFn(change: Change): Promise<{ said: string; view?: View }> {
      if ("create" in change)
        return { said: words.saved, view: await call("POST", "/v1/views", { body: change.create }) };
      if ("remove" in change) {
        const { id, version } = change.remove;
        await call("DELETE", "/v1/views/{id}", { params: { id }, ifMatch: version });
        return { said: words.removed };
      }
      const [view, body, said] =
        "update" in change
          ? [change.update, { query: change.query }, words.updated]
          : [change.rename, { name: change.name }, words.renamed];
      const { id, version: ifMatch } = view;
      return { said, view: await call("PATCH", "/v1/views/{id}", { params: { id }, body, ifMatch }) };
    },
    async onSuccess({ said }) {
      await queries.invalidateQueries({ queryKey: keyOf(projectId, "views") });
      done(said);
    },
    onError(error) {
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "views") });
      failed(locale, error, VIEW_REFUSALS[locale]);
    },
  });
}
