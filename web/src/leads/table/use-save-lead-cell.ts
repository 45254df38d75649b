import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { keyOf, useApi, useFields } from "../../api/queries.ts";
import { useDone } from "../../changes/use-done.ts";
import { isolated } from "../../changes/use-kept-text.ts";
import { mayPass, sentenceOf } from "../../parts/problem.tsx";
import { failed } from "../../parts/toast.ts";
import { LEAD, leadValue } from "../../records/lead.ts";
import type { ListedLead } from "../../records/listed-lead.ts";
import { cellKey, type UnsavedCell, useUnsavedCells } from "../../records/unsaved-cells.ts";
import { type Conflict, useSave } from "../../records/use-save.ts";
import { useWhyClear } from "../../records/use-why-clear.ts";
import { sameValue } from "../../records/value.ts";
import { leadName } from "../../words/lead-name.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { LEAD_LIST_WORDS, REFUSALS } from "../list/lead-list-words.ts";
import type { LeadPage } from "../list/use-lead-pages.ts";
import { seenBy } from "./seen-by.ts";

/** Changes a lead in all loaded lists; the lists are not read again, so that no row moves. */
function usePutLeads() {
  const { projectId } = useApi();
  const queries = useQueryClient();
  return useCallback(
    (to: (lead: ListedLead) => ListedLead) => {
      queries.setQueriesData<InfiniteData<LeadPage>>(
        { queryKey: keyOf(projectId, "leads", "table") },
        (data) =>
          data === undefined
            ? data
            : { ...data, pages: data.pages.map((page) => ({ ...page, leads: page.leads.map(to) })) },
      );
    },
    [projectId, queries],
  );
}

/**
 * Saves cells of the leads' table. A value on its way is shown as such; one that is not saved stays in its cell with the
 * reason, to be sent again, edited or discarded.
 */
export function useSaveLeadCell() {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const put = usePutLeads();
  const write = useSave<ListedLead>(LEAD);
  const unsaved = useUnsavedCells("leads");
  const whyClear = useWhyClear();
  const [conflict, setConflict] = useState<Conflict<ListedLead>>();
  const words = useWords(LEAD_LIST_WORDS);
  const done = useDone();
  const { data: fields } = useFields();
  const labels = useRef(fields?.fields);
  labels.current = fields?.fields;
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);

  const send = useCallback(
    async (seen: ListedLead, cell: UnsavedCell, value: unknown) => {
      const reason = await whyClear(seen, cell.field, value);
      if (reason === null) return unsaved.forget(cell.record, cell.field);
      unsaved.put({ ...cell, state: "saving" });
      try {
        const saved = await write(seen, cell.field, value, reason);
        const { record: now } = saved;
        if (saved.conflict !== undefined) setConflict(saved.conflict);
        put((each) => (each.id === now.id ? now : each));
        unsaved.forget(cell.record, cell.field);
        void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads", "total") });
        void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads", "one", now.id) });
        const label = labels.current?.find(({ name }) => name === cell.field)?.label ?? cell.field;
        if (saved.change !== null) done(`${words.saved}: ${isolated(label)}`, saved.change, { name: "cell" });
      } catch (error) {
        const message = sentenceOf(locale, error, REFUSALS[locale]);
        unsaved.put({ ...cell, state: "failed", message, again: mayPass(error) });
        if (!shown.current) failed(locale, error, REFUSALS[locale]);
      }
    },
    [unsaved, write, whyClear, put, queries, projectId, locale, words, done],
  );
  /** Saves a value; `input` is what the editor had. */
  const save = useCallback(
    (lead: ListedLead, field: string, value: unknown, input: unknown = value, known?: ListedLead) => {
      const seen = known ?? seenBy(lead, unsaved.cells.get(cellKey(lead.id, field)));
      const was = leadValue(seen, field);
      if (sameValue(was, value)) return unsaved.forget(lead.id, field);
      const typed = { record: lead.id, name: leadName(lead), field, input, was, version: seen.version };
      void send(seen, { ...typed, state: "saving", message: "", again: true }, value);
    },
    [unsaved, send],
  );
  /** Sends a value again; its lead may not be among those on the screen. */
  const again = useCallback(
    async (cell: UnsavedCell, value: unknown) => {
      try {
        const lead = await call("GET", "/v1/leads/{id}", { params: { id: cell.record } });
        await send(seenBy(lead, cell), cell, value);
      } catch (error) {
        unsaved.put({ ...cell, message: sentenceOf(locale, error, REFUSALS[locale]), again: mayPass(error) });
      }
    },
    [call, send, unsaved, locale],
  );
  const settle = (choice: "mine" | "theirs") => {
    setConflict(undefined);
    if (choice === "mine" && conflict !== undefined) save(conflict.record, conflict.field, conflict.mine);
  };
  return { save, again, unsaved, conflict, settle };
}
