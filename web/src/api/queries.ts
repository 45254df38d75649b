import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { useProject } from "../session/me.ts";
import { useLocale } from "../words/use-words.ts";
import type { Answer, Ask, ListPath, Method, Path, Send } from "./call.ts";
import { pathOf } from "./path.ts";
import { request, requestWrite, type Sent, type Written } from "./request.ts";

/** The API in the project of the URL: `call("GET", "/v1/leads/{id}", { params: { id } })`. */
export interface Api {
  projectId: string;
  call<M extends Method, P extends Path<M>>(method: M, path: P, ...send: Send<M, P>): Promise<Answer<M, P>>;
  /** The same for a write, with the id of its change, by which it can be undone. */
  write<M extends Method, P extends Path<M>>(
    method: M,
    path: P,
    ...send: Send<M, P>
  ): Promise<Written<Answer<M, P>>>;
}

export function useApi(): Api {
  const { id } = useProject();
  return useMemo(
    () => ({
      projectId: id,
      call: (method, path, ...[send]) => request(id, method, path, send),
      write: (method, path, ...[send]) => requestWrite(id, method, path, send),
    }),
    [id],
  );
}

/**
 * The key of a query: the project, then the noun, then everything the answer depends on. After changing leads,
 * invalidate `keyOf(projectId, "leads")` to reload everything about them.
 */
export const keyOf = (projectId: string, noun: string, ...rest: readonly unknown[]): QueryKey => [
  projectId,
  noun,
  ...rest,
];

/** How an answer is kept. */
interface Kept {
  enabled?: boolean;
  staleTime?: number;
  refetchInterval?: number | false;
}

/** Reads one thing: `useRead("leads", "/v1/leads/{id}", { params: { id } })`. */
export function useRead<P extends Path<"GET">>(
  noun: string,
  path: P,
  ...[send]: Ask<"GET", P, Kept>
): UseQueryResult<Answer<"GET", P>> {
  const { id } = useProject();
  const { params, query, ...kept }: Sent & Kept = send ?? {};
  const asked = { params, query };
  return useQuery({
    queryKey: keyOf(id, noun, pathOf(path, asked)),
    queryFn: ({ signal }) => request(id, "GET", path, { ...asked, signal }),
    ...kept,
  });
}

/** Reads a list page by page, cached under `noun`; `pages.data?.pages.flatMap(({ exports }) => exports)`. */
export function usePages<P extends ListPath>(
  noun: string,
  path: P,
  ...[send]: Ask<"GET", P, object>
): UseInfiniteQueryResult<InfiniteData<Answer<"GET", P>>> {
  const { id } = useProject();
  const sent: Sent = send ?? {};
  return useInfiniteQuery({
    queryKey: keyOf(id, noun, pathOf(path, sent), "pages"),
    queryFn: ({ pageParam: cursor, signal }) =>
      request(id, "GET", path, { ...sent, query: { ...sent.query, cursor }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}

const RARELY = { staleTime: 60_000 };

/** All fields of the project's leads, labelled in the person's language. */
export const useFields = () =>
  useRead("fields", "/v1/leads/fields", { query: { locale: useLocale() }, ...RARELY });

/** The project's statuses in order; new leads get the first. */
export const useStatuses = () => useRead("statuses", "/v1/statuses", RARELY);

/** The project's saved views, newest first, at most 500. */
export const useViews = () => useRead("views", "/v1/views", { query: { limit: 500 }, ...RARELY });

/** The project's members by name; a lead's `owner_id` is the id of one of them. */
export const useMembers = () => useRead("members", "/v1/members", RARELY);
