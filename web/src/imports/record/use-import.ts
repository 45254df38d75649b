import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { keyOf, useApi } from "../../api/queries.ts";
import { usePace } from "../../api/use-pace.ts";
import { failed } from "../../parts/toast.ts";
import { useLocale } from "../../words/use-words.ts";
import { type ImportRecord, isImportBusy, type Mapping } from "./import-record.ts";
import { REFUSALS } from "./import-words.ts";

const keyFor = (projectId: string, id: string) => keyOf(projectId, "imports", "one", id);

/** An import, asked again while a worker is at it. When that ends, everything that it may have changed is asked anew. */
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

/** Something that is done with an import; the record that comes of it is shown at once. */
interface Act {
  method: "POST" | "PUT";
  path: string;
  body?: unknown;
}

/** Does something with an import, one after the other; what is refused is said. */
export function useAct(id: string) {
  const { projectId, send } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  return useMutation({
    scope: { id: `import ${id}` },
    mutationFn: ({ method, path, body }: Act) =>
      send<ImportRecord>(method, `/v1/imports/${encodeURIComponent(id)}/${path}`, body),
    async onSuccess(record) {
      // a poll that was asked before would answer what is not so any more, and end the polling
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
