import { useCallback } from "react";
import { done, stays } from "../parts/toast.ts";
import { sayWithUndo } from "../parts/undo-toast.tsx";
import { useWords } from "../words/use-words.ts";
import { UNDO_WORDS } from "./undo-words.ts";
import { useUndo } from "./use-undo.ts";

/** How a message is shown: it replaces the one with the same `name`; one that `stays` does not close by itself. */
interface How {
  name?: string;
  stays?: boolean;
}

/**
 * Returns a function that reports a write, with an undo of the changes that it made; there is none if it changed
 * nothing.
 */
export function useDone(): (message: string, change: string | null | readonly string[], how?: How) => void {
  const words = useWords(UNDO_WORDS);
  const undo = useUndo();
  return useCallback(
    (message, change, how = {}) => {
      const ids = change === null ? [] : typeof change === "string" ? [change] : change;
      if (ids.length === 0) return how.stays === true ? stays(message) : done(message);
      sayWithUndo(message, [{ label: words.undo, run: () => void undo(ids) }], how);
    },
    [words, undo],
  );
}
