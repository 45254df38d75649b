import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { keyOf, useApi } from "../api/queries.ts";
import { FACT_WORDS } from "../lead/values/value-words.ts";
import { failed } from "../parts/toast.ts";
import { sayWithUndo } from "../parts/undo-toast.tsx";
import { useLocale, useWords } from "../words/use-words.ts";
import { factOf, type Lead, patchOf, sameValue, withValue } from "./lead.ts";
import { type Found, leadPath } from "./use-lead.ts";

/** Somebody else changed the same field meanwhile. */
export interface Conflict {
  field: string;
  mine: unknown;
  theirs: Lead;
}

/** Saves one field; answers why it was not taken, undefined where it was or where the person decides now. */
export type Save = (
  field: string,
  value: unknown,
  how?: { said?: string; quiet?: boolean; optimistic?: boolean },
) => Promise<ApiError | undefined>;

/**
 * Writes fields of a lead under its version. Where somebody changed another field meanwhile, ours is written over the
 * newer version; where they changed the same one, `conflict` holds both values until the person chose.
 */
export function useSave(id: string): {
  save: Save;
  conflict: Conflict | undefined;
  settle(choice: "mine" | "theirs"): void;
} {
  const { projectId, get, send } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const words = useWords(FACT_WORDS);
  const [conflict, setConflict] = useState<Conflict>();

  const put = useCallback(
    async (lead: Lead) => {
      const found: Found = { lead, deleted: false };
      const queryKey = keyOf(projectId, "leads", "one", id);
      // what was asked before would put back what stood there before
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, found);
    },
    [queries, projectId, id],
  );
  const patch = useCallback(
    async (lead: Lead, field: string, value: unknown) => {
      const written = await send<Lead>("PATCH", leadPath(id), patchOf(field, value), {
        ifMatch: lead.version,
      });
      await put(written);
      const noted = [keyOf(projectId, "events"), keyOf(projectId, "leads")];
      for (const queryKey of noted)
        void queries.invalidateQueries({ queryKey, predicate: ({ queryKey: key }) => key[2] !== "one" });
      return written;
    },
    [send, id, put, queries, projectId],
  );

  const save: Save = useCallback(
    async (field, value, how = {}) => {
      const known = queries.getQueryData<Found>(keyOf(projectId, "leads", "one", id));
      if (known === undefined || !("lead" in known)) return undefined;
      const before = known.lead;
      const was = factOf(before, field);
      if (sameValue(was, value)) return undefined;
      if (how.optimistic === true) await put(withValue(before, field, value));
      try {
        try {
          await patch(before, field, value);
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 412) throw error;
          const theirs = await get<Lead>(leadPath(id));
          await put(theirs);
          if (!sameValue(factOf(theirs, field), was)) {
            if (!sameValue(factOf(theirs, field), value)) setConflict({ field, mine: value, theirs });
            return undefined;
          }
          await patch(theirs, field, value);
        }
      } catch (error) {
        if (how.optimistic === true) await put(before);
        if (error instanceof ApiError && error.status === 422 && how.optimistic !== true) return error;
        failed(locale, error);
        return error instanceof ApiError ? error : undefined;
      }
      if (how.quiet !== true)
        sayWithUndo(how.said ?? words.saved, words.undo, () => void save(field, was, { said: words.undone }));
      return undefined;
    },
    [queries, projectId, id, put, patch, get, locale, words],
  );

  const settle = (choice: "mine" | "theirs") => {
    setConflict(undefined);
    if (choice === "mine" && conflict !== undefined) void save(conflict.field, conflict.mine);
  };
  return { save, conflict, settle };
}
