import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { isOngoing } from "../../../src/contract/lists/states.ts";
import { type CursorPage, keyOf, useApi } from "../api/queries.ts";
import { queryString } from "../api/request.ts";
import { usePace } from "../api/use-pace.ts";
import { done, failed } from "../parts/toast.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import type { ExportRecord } from "./export-record.ts";
import { EXPORT_WORDS, REFUSALS } from "./export-words.ts";

type Pages = InfiniteData<CursorPage<"exports", ExportRecord>>;

/** The project's exports, newest first; polled while one is in progress. */
export function useExports() {
  const { projectId, get } = useApi();
  const pace = usePace<Pages>(({ pages }) =>
    pages.some((page) => page.exports.some(({ state }) => isOngoing(state))),
  );
  return useInfiniteQuery({
    queryKey: keyOf(projectId, "exports"),
    queryFn: ({ pageParam, signal }) =>
      get<CursorPage<"exports", ExportRecord>>(
        `/v1/exports${queryString({ limit: 30, cursor: pageParam })}`,
        {
          signal,
        },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: pace,
  });
}

/** Starts or cancels an export, and refetches the list. */
export function useExportAct() {
  const { projectId, send } = useApi();
  const queries = useQueryClient();
  const words = useWords(EXPORT_WORDS);
  const locale = useLocale();
  return useMutation({
    mutationFn: (act: { start: object } | { cancel: string }) =>
      "start" in act
        ? send<ExportRecord>("POST", "/v1/exports", act.start)
        : send<ExportRecord>("POST", `/v1/exports/${act.cancel}/cancel`),
    onSuccess: (_, act) => done("start" in act ? words.started : words.cancelled),
    onError: (error) => failed(locale, error, REFUSALS[locale]),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(projectId, "exports") }),
  });
}
