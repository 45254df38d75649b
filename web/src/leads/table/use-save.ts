import { type InfiniteData, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { failed } from "../../parts/toast.ts";
import { factOf, type Lead, patchOf, sameValue, withValue } from "../../records/lead.ts";
import { useLocale } from "../../words/use-words.ts";
import { REFUSALS } from "../list/leads-words.ts";
import type { LeadPage } from "../list/use-lead-pages.ts";

/** Somebody else changed the field while one edited it. */
export interface Conflict {
  lead: Lead;
  field: string;
  theirs: unknown;
  mine: unknown;
}

/** Puts leads into the lists as they are now, without asking for the lists anew: nothing moves. */
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

/**
 * Saves a field of a lead: shown at once, taken back where the service says no. Edits of one lead go one after another. A
 * version that is over is no conflict as long as nobody else touched the field.
 */
export function useSave() {
  const { projectId, get, send } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const put = usePutLeads();
  const [conflict, setConflict] = useState<Conflict>();
  const latest = useRef(new Map<string, number>());
  const turns = useRef(new Map<string, Promise<unknown>>());
  const putOne = (lead: Lead) => put((each) => (each.id === lead.id ? lead : each));

  const write = async (lead: Lead, field: string, value: unknown): Promise<Lead> => {
    const path = `/v1/leads/${lead.id}`;
    const ifMatch = Math.max(latest.current.get(lead.id) ?? 0, lead.version);
    try {
      return await send<Lead>("PATCH", path, patchOf(field, value), { ifMatch });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      const now = await get<Lead>(path);
      const theirs = factOf(now, field);
      if (sameValue(theirs, factOf(lead, field)))
        return await send<Lead>("PATCH", path, patchOf(field, value), { ifMatch: now.version });
      if (!sameValue(theirs, value)) setConflict({ lead: now, field, theirs, mine: value });
      return now;
    }
  };

  const { mutate } = useMutation({
    mutationFn({ lead, field, value }: { lead: Lead; field: string; value: unknown }) {
      const turn = (turns.current.get(lead.id) ?? Promise.resolve()).then(() => write(lead, field, value));
      const settled = turn.catch(() => undefined);
      turns.current.set(lead.id, settled);
      return turn;
    },
    onMutate: ({ lead, field, value }) =>
      put((each) => (each.id === lead.id ? withValue(each, field, value) : each)),
    onSuccess(now) {
      latest.current.set(now.id, now.version);
      putOne(now);
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads", "total") });
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads", "one", now.id) });
    },
    onError(error, { lead, field }) {
      put((each) => (each.id === lead.id ? withValue(each, field, factOf(lead, field)) : each));
      failed(locale, error, REFUSALS[locale]);
    },
  });
  const save = useCallback(
    (lead: Lead, field: string, value: unknown) => {
      if (!sameValue(factOf(lead, field), value)) mutate({ lead, field, value });
    },
    [mutate],
  );
  return { save, conflict, settle: () => setConflict(undefined) };
}
