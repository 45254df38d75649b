import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { Lead } from "../../../../src/contract/leads/lead.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useDone } from "../../changes/use-done.ts";
import { failed } from "../../parts/toast.ts";
import { LEAD, leadValue, withValue } from "../../records/lead.ts";
import type { Found } from "../../records/use-lead.ts";
import { type Conflict, useSave } from "../../records/use-save.ts";
import { useWhyClear } from "../../records/use-why-clear.ts";
import { sameValue } from "../../records/value.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import type { SaveField } from "../context/lead-context.ts";
import { VALUE_WORDS } from "./value-words.ts";

/**
 * Saves fields of the lead on the screen, each with an undo; `conflict` holds both values until the person
 * has chosen.
 */
export function useSaveField(id: string): {
  save: SaveField;
  conflict: Conflict<Lead> | undefined;
  settle(choice: "mine" | "theirs"): void;
} {
  const { projectId } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const words = useWords(VALUE_WORDS);
  const [conflict, setConflict] = useState<Conflict<Lead>>();
  const write = useSave(LEAD);
  const whyClear = useWhyClear();
  const done = useDone();

  const put = useCallback(
    async (lead: Lead) => {
      const found: Found = { lead, deleted: false };
      const queryKey = keyOf(projectId, "leads", "one", id);
      // a read that started earlier would bring the old value back
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, found);
    },
    [queries, projectId, id],
  );

  const save: SaveField = useCallback(
    async (field, value, how = {}) => {
      const known = queries.getQueryData<Found>(keyOf(projectId, "leads", "one", id));
      if (known === undefined || !("lead" in known)) return undefined;
      const before = how.seen ?? known.lead;
      const was = leadValue(before, field);
      if (sameValue(was, value)) return undefined;
      const reason = await whyClear(before, field, value);
      if (reason === null) return undefined;
      if (how.optimistic === true) await put(withValue(before, field, value));
      let change: string | null;
      try {
        const saved = await write(before, field, value, reason);
        await put(saved.record);
        if (!saved.written) {
          setConflict(saved.conflict);
          return undefined;
        }
        change = saved.change;
      } catch (error) {
        if (how.optimistic === true) {
          await put(before);
          failed(locale, error, undefined, () => void save(field, value, how));
        }
        return { error };
      }
      for (const queryKey of [keyOf(projectId, "events"), keyOf(projectId, "leads")])
        void queries.invalidateQueries({ queryKey, predicate: ({ queryKey: key }) => key[2] !== "one" });
      done(how.said ?? words.saved, change);
      return undefined;
    },
    [queries, projectId, id, put, write, whyClear, locale, words, done],
  );

  const settle = (choice: "mine" | "theirs") => {
    setConflict(undefined);
    if (choice === "mine" && conflict !== undefined)
      void save(conflict.field, conflict.mine, { seen: conflict.record });
  };
  return { save, conflict, settle };
}
