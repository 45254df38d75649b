import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useNavigate } from "react-router";
import { addressIn } from "../../../src/core/navigation.ts";
import { useApi } from "../api/queries.ts";
import { done, failed } from "../parts/toast.ts";
import { sayWithUndo } from "../parts/undo-toast.tsx";
import { useFormat } from "../words/format.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { type Far, type Undone, undoChanges } from "./undo-calls.ts";
import { UNDO_REFUSALS, UNDO_WORDS } from "./undo-words.ts";
import { useKeptText } from "./use-kept-text.ts";

/** The path of a change, or of all. */
export const historyAddress = (projectId: string, change?: string): string =>
  addressIn(projectId, change === undefined ? "history" : `history/${encodeURIComponent(change)}`);

let undos = 0;

/** Undoes changes by their ids; `clears` is whether opt-outs are cleared, too. */
type UndoAct = (ids: readonly string[], clears?: boolean) => Promise<void>;

/**
 * Returns a function that undoes changes by their ids, reloads what is shown, and reports what was kept, with an undo of
 * the undo. It is the only undo of the panel: the service decides what somebody changed since.
 */
export function useUndo(): UndoAct {
  const api = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const words = useWords(UNDO_WORDS);
  const { number } = useFormat();
  const report = useReportUndo();
  const undo = useCallback(
    async (ids: readonly string[], clears = false): Promise<void> => {
      undos += 1;
      const name = `undo ${undos}`;
      let shown = false;
      try {
        const onFar = ({ done, total }: Far) => {
          const message = words.far(number(done), number(total));
          const toast = { id: name, message, loading: true, autoClose: false, withBorder: true } as const;
          if (shown) notifications.update(toast);
          else notifications.show({ ...toast, role: "status" });
          shown = true;
        };
        const undone = await undoChanges(api, ids, onFar, clears);
        await queries.invalidateQueries({ queryKey: [api.projectId] });
        report(undone, undo);
      } catch (error) {
        failed(locale, error, UNDO_REFUSALS[locale], () => void undo(ids, clears));
        void queries.invalidateQueries({ queryKey: [api.projectId] });
      } finally {
        notifications.hide(name);
      }
    },
    [api, queries, locale, words, number, report],
  );
  return undo;
}

/** Returns a function that reports what an undo did. */
export function useReportUndo(): (undone: Undone, undo: UndoAct) => void {
  const { projectId } = useApi();
  const go = useNavigate();
  const words = useWords(UNDO_WORDS);
  const keptText = useKeptText();
  return useCallback(
    ({ changes, of, kept, count, stopped }, undo) => {
      const again = { label: words.undo, run: () => void undo(changes) };
      const [change] = changes;
      const see = {
        label: words.history,
        run: () => void go(historyAddress(projectId, change)),
      };
      if (stopped === true) return sayWithUndo(words.stopped, [see], { stays: true });
      if (count === 0)
        return changes.length === 0 ? done(words.nothingBack) : sayWithUndo(words.undone, [again]);
      const what = keptText(kept, count);
      const isOut = kept.some((record) => record.kept.some(({ reason }) => reason === "opt_out"));
      const clear = isOut ? [{ label: words.clearToo, run: () => void undo(of, true) }] : [];
      if (change === undefined) return sayWithUndo(words.nothing(what), clear, { stays: true });
      sayWithUndo(words.except(what), [...clear, see, again], { stays: true });
    },
    [projectId, go, words, keptText],
  );
}
