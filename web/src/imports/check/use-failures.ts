import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Import } from "../../../../src/contract/imports/import.ts";
import type { ErrorKind } from "../../../../src/contract/imports/import-rows.ts";
import { keyOf, useApi } from "../../api/queries.ts";

/** Part of the query key: a new check or import has other failures. */
const runOf = ({ dry_run, finished_at, failed }: Import) => [dry_run?.finished_at, finished_at, failed];

/** The types of errors, most frequent first. */
export function useKinds(record: Import) {
  const { projectId, call } = useApi();
  return useQuery({
    queryKey: keyOf(projectId, "imports", "about", record.id, "kinds", ...runOf(record)),
    queryFn: ({ signal }) =>
      call("GET", "/v1/imports/{id}/errors/kinds", { params: { id: record.id }, signal }),
  });
}

/** The failed rows page by page, optionally with one type of error only. */
export function useFailures(record: Import, kind: Pick<ErrorKind, "column" | "code"> | undefined) {
  const { projectId, call } = useApi();
  const only = kind === undefined ? {} : { column: kind.column, code: kind.code };
  return useInfiniteQuery({
    queryKey: keyOf(projectId, "imports", "about", record.id, "errors", only, ...runOf(record)),
    queryFn: ({ pageParam, signal }) =>
      call("GET", "/v1/imports/{id}/errors", {
        params: { id: record.id },
        query: { limit: 50, cursor: pageParam, ...only },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}
