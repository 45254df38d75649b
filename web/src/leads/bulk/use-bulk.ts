import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import type { Job } from "../../../../src/contract/nouns/job.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { done, failed, stays } from "../../parts/toast.ts";
import { sayWithUndo } from "../../parts/undo-toast.tsx";
import { sameValue } from "../../records/value.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { REFUSALS } from "../list/lead-list-words.ts";
import type { LeadsQuery } from "../list/use-leads-query.ts";
import type { Selection } from "../list/use-selection.ts";
import { rehearseBulk, runBulk } from "./bulk-calls.ts";
import { BULK_SENTENCES, BULK_WORDS } from "./bulk-words.ts";
import { type BulkAction, type ChangedLead, type Unsure, undoEach } from "./change-each.ts";

/** The names of leads that an undo left alone, of which the message lists at most so many. */
const NAMED = 10;

/** Undoes a bulk change, and reports which leads were left alone, and why. */
function useUndoBulk(): (leads: readonly ChangedLead[]) => void {
  const api = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const words = useWords(BULK_WORDS);
  const say = useWords(BULK_SENTENCES);
  const { number, list } = useFormat();
  const back = useSubmit({
    mutationFn: (leads: readonly ChangedLead[]) => undoEach(api, leads),
    onSuccess({ undone, since, refused }) {
      const left = [
        { names: since, sentence: say.changedSince },
        { names: refused, sentence: say.notUndone },
      ].filter(({ names }) => names.length > 0);
      if (left.length === 0) return done(words.undone);
      const sentences = left.map(({ names, sentence }) => {
        const more = names.length > NAMED ? ` +${number(names.length - NAMED)}` : "";
        return sentence(number(names.length), list(names.slice(0, NAMED).map(isolated)) + more);
      });
      stays([say.undone(number(undone)), ...sentences].join(" "));
    },
    onError: (error, leads) => failed(locale, error, REFUSALS[locale], () => back.mutate(leads)),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(api.projectId, "leads") }),
  });
  return back.mutate;
}

/** A name as a part of a sentence: isolated from the direction of the text around it, and of a bounded length. */
const isolated = (name: string): string => `\u2068${name.slice(0, 60).toWellFormed()}\u2069`;

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
  const words = useWords(BULK_WORDS);
  const say = useWords(BULK_SENTENCES);
  const { number } = useFormat();
  const undo = useUndoBulk();
  const rehearsal = useQuery({
    queryKey: keyOf(api.projectId, "rehearsal", action, query, selection.all || [...selection.leads.keys()]),
    queryFn: ({ signal }) =>
      action === undefined ? undefined : rehearseBulk(api, action, selection, query, signal),
    enabled: action !== undefined,
    gcTime: 0,
    staleTime: 0,
  });
  const tried = useRef<{ action: BulkAction | undefined; unsure: Unsure }>({ action, unsure: new Map() });
  const run = useSubmit({
    mutationFn: (expected: number) => {
      if (action === undefined) throw new Error("no action is selected");
      if (!sameValue(tried.current.action, action)) tried.current = { action, unsure: new Map() };
      return runBulk(api, action, selection, query, expected, tried.current.unsure);
    },
    onSuccess(outcome) {
      if ("job" in outcome) return onDone(outcome.job);
      const { before, counts, undoable, error } = outcome;
      const count = number(counts.updated);
      const what = action?.op === "delete" ? say.deleted(count) : say.changed(count);
      const said = counts.failed === 0 ? what : `${what}. ${say.notChanged(number(counts.failed))}`;
      if (before.length > 0) sayWithUndo(said, words.undo, () => undo(before));
      else if (undoable) done(said);
      else stays(`${said}. ${words.noUndo}`);
      void queries.invalidateQueries({ queryKey: keyOf(api.projectId, "leads") });
      if (error === undefined) return onDone();
      failed(locale, error, REFUSALS[locale]);
      void rehearsal.refetch();
    },
    onError(error, expected) {
      failed(locale, error, REFUSALS[locale], () => run.mutate(expected));
      void rehearsal.refetch();
    },
  });
  return { rehearsal, run };
}
