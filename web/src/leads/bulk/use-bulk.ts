import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Job } from "../../../../src/contract/jobs/jobs.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { useDone } from "../../changes/use-done.ts";
import { mayPass } from "../../parts/problem.tsx";
import { failed } from "../../parts/toast.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { REFUSALS } from "../list/lead-list-words.ts";
import type { LeadsQuery } from "../list/use-leads-query.ts";
import type { Selection } from "../list/use-selection.ts";
import { type BulkAction, lostSince, newestOwn, rehearseBulk, runBulk } from "./bulk-calls.ts";
import { BULK_SENTENCES, outcomeOf } from "./bulk-words.ts";

/** A try of a change, and the person's newest bulk change before it; `lost` if it got no answer. */
interface Try {
  key: string;
  before: string;
  lost: boolean;
}

/** Rehearses a change of the selected leads, performs it, and reports it with its undo. */
export function useBulk(
  action: BulkAction | undefined,
  selection: Selection,
  query: LeadsQuery,
  onDone: (job?: Job) => void,
) {
  const api = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const say = useWords(BULK_SENTENCES);
  const { number } = useFormat();
  const done = useDone();
  const wanted = [action, query, selection.all || [...selection.leads.keys()]];
  const rehearsal = useQuery({
    queryKey: keyOf(api.projectId, "rehearsal", ...wanted),
    queryFn: ({ signal }) =>
      action === undefined ? undefined : rehearseBulk(api, action, selection, query, signal),
    enabled: action !== undefined,
    gcTime: 0,
    staleTime: 0,
    retry: false,
  });
  const tried = useRef<Try>(undefined);
  const run = useSubmit({
    async mutationFn(expected: number) {
      if (action === undefined) throw new Error("no action is selected");
      const key = JSON.stringify(wanted);
      const last = tried.current?.key === key ? tried.current : undefined;
      const lost = last?.lost === true ? await lostSince(api, last.before, action) : [];
      tried.current = last ?? { key, before: await newestOwn(api), lost: false };
      return await runBulk(api, action, selection, query, expected, lost);
    },
    onSuccess(outcome) {
      if ("job" in outcome) return onDone(outcome.job);
      const { changes, counts, error } = outcome;
      const count = number(counts.updated);
      const what = outcomeOf(say, action?.op, count);
      done(counts.failed === 0 ? what : `${what}. ${say.notChanged(number(counts.failed))}`, changes);
      void queries.invalidateQueries({ queryKey: keyOf(api.projectId, "leads") });
      tried.current = undefined;
      if (error === undefined) return onDone();
      failed(locale, error, REFUSALS[locale]);
      void rehearsal.refetch();
    },
    onError(error, expected) {
      if (tried.current !== undefined && mayPass(error)) tried.current.lost = true;
      failed(locale, error, REFUSALS[locale], () => run.mutate(expected));
      void rehearsal.refetch();
    },
  });
  return { rehearsal, run };
}
