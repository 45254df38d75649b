import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import type { Change, ChangeDetail } from "../../../src/contract/changes/change.ts";
import { CHANGE_KINDS, type ChangeKind } from "../../../src/contract/lists/changes.ts";
import { list, oneOf, text } from "../address/use-address-state.ts";
import { keyOf, useApi } from "../api/queries.ts";
import { usePace } from "../api/use-pace.ts";

/** Which changes are shown, in the URL. */
export const HISTORY_ADDRESS = {
  who: text(),
  kind: list(),
  from: text(),
  to: text(),
  undo: oneOf(["", "yes"]),
  lead: text(),
};

export interface HistoryAsked {
  who: string;
  kind: readonly string[];
  from: string;
  to: string;
  undo: "" | "yes";
  lead: string;
}

const isKind = (kind: string): kind is ChangeKind => (CHANGE_KINDS as readonly string[]).includes(kind);
const isDay = (day: string): boolean => /^\d{4}-\d\d-\d\d$/.test(day) && Number.isFinite(Date.parse(day));

/** The day after a day: the API's periods end before theirs. */
const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** The project's changes, newest first; read again while one is running. */
export function useHistory(asked: HistoryAsked) {
  const { projectId, call } = useApi();
  const { who, from, to, undo, lead } = asked;
  const kind = asked.kind.filter(isKind);
  const query = {
    limit: 50,
    actor: who || undefined,
    kind: kind.length === 0 ? undefined : kind,
    from: isDay(from) ? from : undefined,
    to: isDay(to) ? dayAfter(to) : undefined,
    reversible: undo === "yes" ? true : undefined,
    lead: lead || undefined,
  };
  return useInfiniteQuery({
    queryKey: keyOf(projectId, "changes", "list", query),
    queryFn: ({ pageParam: cursor, signal }) =>
      call("GET", "/v1/changes", { query: { ...query, cursor }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    staleTime: 0,
    refetchInterval: usePace<InfiniteData<{ changes: Change[] }>>(({ pages }) =>
      pages.some(({ changes }) => changes.some(({ state }) => state === "running")),
    ),
  });
}

/** A change and the first pages of its records; read again while it is running. */
export function useChangeRecords(id: string) {
  const { projectId, call } = useApi();
  return useInfiniteQuery({
    queryKey: keyOf(projectId, "changes", "one", id),
    queryFn: ({ pageParam: cursor, signal }) =>
      call("GET", "/v1/changes/{id}", { params: { id }, query: { limit: 50, cursor }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    staleTime: 0,
    refetchInterval: usePace<InfiniteData<ChangeDetail>>(
      ({ pages }) => pages[0] !== undefined && pages[0].state === "running",
    ),
  });
}
