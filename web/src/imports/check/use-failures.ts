import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type CursorPage, keyOf, useApi } from "../../api/queries.ts";
import { queryString } from "../../api/request.ts";
import type { ImportRecord } from "../record/import-record.ts";

/** A failed row as in the file; an error without a column is about the whole row. */
export interface Failure {
  row: number;
  errors: { column: string; code: string; message: string }[];
  cells: string[];
}

export interface Kind {
  column: string;
  code: string;
  message: string;
  rows: number;
  first_row: number;
}

/** Part of the query key: a new check or import has other failures. */
const runOf = ({ dry_run, finished_at, failed }: ImportRecord) => [dry_run?.finished_at, finished_at, failed];

/** The types of errors, most frequent first. */
export function useKinds(record: ImportRecord) {
  const { projectId, get } = useApi();
  return useQuery({
    queryKey: keyOf(projectId, "imports", "about", record.id, "kinds", ...runOf(record)),
    queryFn: ({ signal }) => get<{ kinds: Kind[] }>(`/v1/imports/${record.id}/errors/kinds`, { signal }),
  });
}

/** The failed rows page by page, optionally with one type of error only. */
export function useFailures(record: ImportRecord, kind: Pick<Kind, "column" | "code"> | undefined) {
  const { projectId, get } = useApi();
  const only = kind === undefined ? {} : { column: kind.column, code: kind.code };
  return useInfiniteQuery({
    queryKey: keyOf(projectId, "imports", "about", record.id, "errors", only, ...runOf(record)),
    queryFn: ({ pageParam, signal }) =>
      get<CursorPage<"errors", Failure>>(
        `/v1/imports/${record.id}/errors${queryString({ limit: 50, cursor: pageParam, ...only })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}
