import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import type { Export } from "../../../src/contract/exports.ts";
import type { LeadsExport } from "../../../src/contract/leads/query.ts";
import { isOngoing } from "../../../src/contract/lists/states.ts";
import { keyOf, useApi } from "../api/queries.ts";
import { usePace } from "../api/use-pace.ts";
import { useSubmit } from "../api/use-submit.ts";
import { done, failed } from "../parts/toast.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { EXPORT_WORDS, REFUSALS } from "./export-words.ts";

/** The project's exports, newest first; polled while one is in progress. */
export function useExports() {
  const { projectId, call } = useApi();
  const pace = usePace<InfiniteData<{ exports: Export[] }>>(({ pages }) =>
    pages.some((page) => page.exports.some(({ state }) => isOngoing(state))),
  );
  return useInfiniteQuery({
    queryKey: keyOf(projectId, "exports"),
    queryFn: ({ pageParam, signal }) =>
      call("GET", "/v1/exports", { query: { limit: 30, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: pace,
  });
}

/** Starts or cancels an export, and refetches the list. */
export function useExportAct() {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const words = useWords(EXPORT_WORDS);
  const locale = useLocale();
  return useSubmit({
    mutationFn: (act: { start: LeadsExport } | { cancel: string }) =>
      "start" in act
        ? call("POST", "/v1/exports", { body: act.start })
        : call("POST", "/v1/exports/{id}/cancel", { params: { id: act.cancel } }),
    onSuccess: (_, act) => done("start" in act ? words.started : words.cancelled),
    onError: (error) => failed(locale, error, REFUSALS[locale]),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(projectId, "exports") }),
  });
}
