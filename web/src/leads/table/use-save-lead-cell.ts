import { type InfiniteData, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { Lead } from "../../../../src/contract/nouns/lead.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { failed } from "../../parts/toast.ts";
import { LEAD, leadValue, withValue } from "../../records/lead.ts";
import { type Conflict, useSave } from "../../records/use-save.ts";
import { sameValue } from "../../records/value.ts";
import { useLocale } from "../../words/use-words.ts";
import { REFUSALS } from "../list/lead-list-words.ts";
import type { LeadPage } from "../list/use-lead-pages.ts";

/** Changes a lead in all loaded lists; the lists are not read again, so that no row moves. */
function usePutLeads() {
  const { projectId } = useApi();
  const queries = useQueryClient();
  return useCallback(
    (to: (lead: Lead) => Lead) => {
      queries.setQueriesData<InfiniteData<LeadPage>>(
        { queryKey: keyOf(projectId, "leads", "table") },
        (data) =>
          data === undefined
            ? data
            : { ...data, pages: data.pages.map((page) => ({ ...page, leads: page.leads.map(to) })) },
      );
    },
    [projectId, queries],
  );
}

/** Saves a cell of the leads' table: the value is shown immediately, and reverted if the service refuses it. */
export function useSaveLeadCell() {
  const { projectId } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const put = usePutLeads();
  const write = useSave(LEAD);
  const [conflict, setConflict] = useState<Conflict<Lead>>();

  const { mutate } = useMutation({
    mutationFn: ({ lead, field, value }: { lead: Lead; field: string; value: unknown }) =>
      write(lead, field, value),
    onMutate: ({ lead, field, value }) =>
      put((each) => (each.id === lead.id ? withValue(each, field, value) : each)),
    onSuccess(saved) {
      const { record: now } = saved;
      if (saved.conflict !== undefined) setConflict(saved.conflict);
      put((each) => (each.id === now.id ? now : each));
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads", "total") });
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads", "one", now.id) });
    },
    onError(error, { lead, field }) {
      put((each) => (each.id === lead.id ? withValue(each, field, leadValue(lead, field)) : each));
      failed(locale, error, REFUSALS[locale]);
    },
  });
  const save = useCallback(
    (lead: Lead, field: string, value: unknown) => {
      if (!sameValue(leadValue(lead, field), value)) mutate({ lead, field, value });
    },
    [mutate],
  );
  const settle = (choice: "mine" | "theirs") => {
    setConflict(undefined);
    if (choice === "mine" && conflict !== undefined) save(conflict.record, conflict.field, conflict.mine);
  };
  return { save, conflict, settle };
}
