import { useCallback, useEffect } from "react";
import { useBlocker } from "react-router";
import { discardUnsaved, hasUnsaved, useHasUnsaved } from "../drafts/unsaved.ts";
import { useSession } from "../session/session.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { useConfirm } from "./confirm.tsx";
import { useAskBeforeUnload } from "./use-ask-before-unload.ts";

const WORDS: Words<{ title: string; what: string; leave: string }> = {
  en: {
    title: "Leave without saving?",
    what: "Your changes are not saved and will be lost.",
    leave: "Leave",
  },
  "pt-BR": {
    title: "Sair sem salvar?",
    what: "Suas alterações não foram salvas e serão perdidas.",
    leave: "Sair",
  },
};

/**
 * The state of a navigation that needs no confirmation: it was confirmed, or nothing is left to save. `go(to,
 * { state: SURE })`.
 */
export const SURE = { sure: true };

/** Returns a function that asks whether what is not saved may be lost, and then discards it. */
export function useMayLeave(): () => Promise<boolean> {
  const words = useWords(WORDS);
  const confirm = useConfirm();
  return useCallback(async () => {
    if (!hasUnsaved()) return true;
    const { title, what, leave } = words;
    const sure = await confirm({ title, what, action: leave, danger: true });
    if (sure) discardUnsaved();
    return sure;
  }, [confirm, words]);
}

/**
 * Asks before the person leaves a screen with unsaved changes (`useUnsaved`): in our dialog inside the panel, in the
 * browser's otherwise. When the session is over, drafts wait for the person, and the way to sign-in is free.
 */
export function useLeaveGuard(): void {
  const mayLeave = useMayLeave();
  const isUnsaved = useHasUnsaved();
  const { over } = useSession();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      hasUnsaved() &&
      currentLocation.pathname !== nextLocation.pathname &&
      (nextLocation.state as Partial<typeof SURE> | null)?.sure !== true,
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    void mayLeave().then((sure) => (sure ? blocker.proceed() : blocker.reset()));
  }, [blocker, mayLeave]);
  useAskBeforeUnload(isUnsaved && !over);
}
