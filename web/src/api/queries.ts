import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { useMemo } from "react";
import type { FieldType } from "../../../src/contract/lists/operators.ts";
import { useProject } from "../session/me.ts";
import { useLocale } from "../words/use-words.ts";
import { type Method, queryString, request, type Send } from "./request.ts";

/** The API in the project of the URL. */
export interface Api {
  projectId: string;
  get<T>(path: string, send?: Send): Promise<T>;
  send<T>(method: Exclude<Method, "GET">, path: string, body?: unknown, send?: Send): Promise<T>;
}

export function useApi(): Api {
  const { id } = useProject();
  return useMemo(
    () => ({
      projectId: id,
      get: (path, send) => request(id, "GET", path, send),
      send: (method, path, body, send) => request(id, method, path, { ...send, body }),
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

/** Reads one thing: `useRead<Lead>("leads", "/v1/leads/lead_…")`. */
export function useRead<T>(
  noun: string,
  path: string,
  options: { enabled?: boolean; staleTime?: number; refetchInterval?: number | false } = {},
): UseQueryResult<T> {
  const { projectId, get } = useApi();
  return useQuery<T>({
    queryKey: keyOf(projectId, noun, path),
    queryFn: ({ signal }) => get(path, { signal }),
    ...options,
  });
}

/** A page of a list by cursor: `{"exports": […], "next_cursor": …}`. */
export type CursorPage<Plural extends string, T> = Record<Plural, T[]> & { next_cursor: string | null };

/** Reads a list page by page, cached under `noun`; `pages.data?.pages.flatMap(({ exports }) => exports)`. */
export function usePages<Plural extends string, T>(
  noun: string,
  path: string,
  parameters: Parameters<typeof queryString>[0] = {},
): UseInfiniteQueryResult<InfiniteData<CursorPage<Plural, T>>> {
  const { projectId, get } = useApi();
  return useInfiniteQuery({
    queryKey: keyOf(projectId, noun, path, parameters),
    queryFn: ({ pageParam, signal }) =>
      get<CursorPage<Plural, T>>(path + queryString({ ...parameters, cursor: pageParam }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}

/** A field of leads for filters and tables, standard or custom. */
export interface LeadField {
  name: string;
  label: string;
  type: FieldType;
  operators: readonly string[];
  options: readonly string[] | null;
  custom: boolean;
  required: boolean;
  sortable: boolean;
  groupable: boolean;
  /** Whether it can be set on a lead. */
  writable: boolean;
}

const RARELY = { staleTime: 60_000 };

/** All fields of the project's leads, labelled in the person's language. */
export function useFields(): UseQueryResult<{ fields: LeadField[] }> {
  return useRead("fields", `/v1/leads/fields${queryString({ locale: useLocale() })}`, RARELY);
}

/** The project's statuses in order; new leads get the first. */
export const useStatuses = (): UseQueryResult<{ statuses: string[] }> =>
  useRead("statuses", "/v1/statuses", RARELY);

/** A saved query with a name. */
export interface SavedView {
  id: string;
  name: string;
  query: Record<string, unknown>;
  version: number;
  created_at: string;
  updated_at: string;
}

/** The project's saved views, newest first, at most 500. */
export const useViews = (): UseQueryResult<CursorPage<"views", SavedView>> =>
  useRead("views", "/v1/views?limit=500", RARELY);

/** A person who can own leads. */
export interface Member {
  id: string;
  name: string;
  role: string;
}

/** The project's members by name; a lead's `owner_id` is the id of one of them. */
export const useMembers = (): UseQueryResult<{ members: Member[] }> =>
  useRead("members", "/v1/members", RARELY);
