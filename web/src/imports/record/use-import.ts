import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Import } from "../../../../src/contract/imports/import.ts";
import type { FileReading } from "../../../../src/contract/imports/import-file.ts";
import type { ImportMapping } from "../../../../src/contract/imports/import-mapping.ts";
import { type Api, keyOf, useApi } from "../../api/queries.ts";
import { usePace } from "../../api/use-pace.ts";
import { failed } from "../../parts/toast.ts";
import { useLocale } from "../../words/use-words.ts";
import { isImportBusy } from "./import-record.ts";
import { REFUSALS } from "./import-words.ts";

const keyFor = (projectId: string, id: string) => keyOf(projectId, "imports", "one", id);

/** An import, polled while a worker processes it. When that is done, everything it may have changed is invalidated. */
export function useImport(id: string) {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: keyFor(projectId, id),
    queryFn: ({ signal }) => call("GET", "/v1/imports/{id}", { params: { id }, signal }),
    refetchInterval: usePace(isImportBusy),
    // sharing parts with the former answer would lose a column that is named __proto__
    structuralSharing: false,
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

/** A request that changes an import; the returned record is shown immediately. `present` is the record when it is sent. */
export type Act = (call: Api["call"], params: { id: string }, present: Import | undefined) => Promise<Import>;

/** Sends requests that change an import, one after the other, and shows refusals. `onDone` runs after each that succeeded. */
export function useAct(id: string, onDone?: () => void) {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  return useMutation({
    scope: { id: `import ${id}` },
    mutationFn: (request: Act) => request(call, { id }, queries.getQueryData<Import>(keyFor(projectId, id))),
    async onSuccess(record) {
      // a poll sent earlier would return an outdated state and stop the polling
      await queries.cancelQueries({ queryKey: keyFor(projectId, id) });
      queries.setQueryData(keyFor(projectId, id), record);
      onDone?.();
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "imports", "list") });
    },
    onError(error) {
      failed(locale, error, REFUSALS[locale]);
      void queries.invalidateQueries({ queryKey: keyFor(projectId, id) });
    },
  });
}

const map =
  (body: ImportMapping): Act =>
  (call, params) =>
    call("PUT", "/v1/imports/{id}/mapping", { params, body });
const answer =
  (body: Readonly<Record<string, string>>): Act =>
  (call, params) =>
    call("PUT", "/v1/imports/{id}/answers", { params, body });
const reread =
  (body: FileReading): Act =>
  (call, params) =>
    call("PUT", "/v1/imports/{id}/file", { params, body });
const check: Act = (call, params) => call("POST", "/v1/imports/{id}/dry-run", { params });
const commit: Act = (call, params) => call("POST", "/v1/imports/{id}/commit", { params });
const cancel: Act = (call, params) => call("POST", "/v1/imports/{id}/cancel", { params });
const undo: Act = (call, params) => call("POST", "/v1/imports/{id}/undo", { params, body: {} });

export const act = { map, answer, reread, check, commit, cancel, undo };
