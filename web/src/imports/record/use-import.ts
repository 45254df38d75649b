import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { keyOf, useApi } from "../../api/queries.ts";
import { usePace } from "../../api/use-pace.ts";
import { failed } from "../../parts/toast.ts";
import { useLocale } from "../../words/use-words.ts";
import { type ImportRecord, isImportBusy, type Mapping } from "./import-record.ts";
import { REFUSALS } from "./import-words.ts";

const keyFor = (projectId: string, id: string) => keyOf(projectId, "imports", "one", id);

/** An import, polled while a worker processes it. When that is done, everything it may have changed is invalidated. */
export function useImport(id: string) {
  const { projectId, get } = useApi();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: keyFor(projectId, id),
    queryFn: ({ signal }) => get<ImportRecord>(`/v1/imports/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: usePace(isImportBusy),
  });
  const busy = query.data === undefined ? undefined : isImportBusy(query.data);
  const was = useRef(busy);
  useEffect(() => {
    const ended = was.current === true && busy === false;
    was.current = busy;
    if (!ended) return;
    for (const noun of ["leads", "datasets", "rows", "fields"])
      void queries.invalidateQueries({ queryKey: keyOf(projectId, noun) });
    void queries.invalidateQueries({ queryKey: keyOf(projectId, "imports", "about", id) });
    void queries.invalidateQueries({ queryKey: keyOf(projectId, "imports", "list") });
  }, [busy, id, projectId, queries]);
  return query;
}

/** A request that changes an import; the returned record is shown immediately. */
interface Act {
  method: "POST" | "PUT";
  path: string;
  body?: unknown;
}

/** Sends requests that change an import, one after the other, and shows refusals. */
export function useAct(id: string) {
  const { projectId, send } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  return useMutation({
    scope: { id: `import ${id}` },
    mutationFn: ({ method, path, body }: Act) =>
      send<ImportRecord>(method, `/v1/imports/${encodeURIComponent(id)}/${path}`, body),
    async onSuccess(record) {
      // a poll sent earlier would return an outdated state and stop the polling
      await queries.cancelQueries({ queryKey: keyFor(projectId, id) });
      queries.setQueryData(keyFor(projectId, id), record);
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "imports", "list") });
    },
    onError(error) {
      failed(locale, error, REFUSALS[locale]);
      void queries.invalidateQueries({ queryKey: keyFor(projectId, id) });
    },
  });
}

export const act = {
  map: (mapping: Mapping): Act => ({ method: "PUT", path: "mapping", body: mapping }),
  reread: (how: object): Act => ({ method: "PUT", path: "file", body: how }),
  check: { method: "POST", path: "dry-run" } as Act,
  commit: { method: "POST", path: "commit" } as Act,
  cancel: { method: "POST", path: "cancel" } as Act,
  undo: { method: "POST", path: "undo" } as Act,
};
