import { useEffect } from "react";
import { useBlocker } from "react-router";
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

/**
 * Asks before the person leaves a screen with unsaved changes: in our dialog inside the panel, in the browser's
 * otherwise.
 */
export function useLeaveGuard(isUnsaved: boolean): void {
  const words = useWords(WORDS);
  const confirm = useConfirm();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved &&
      currentLocation.pathname !== nextLocation.pathname &&
      (nextLocation.state as Partial<typeof SURE> | null)?.sure !== true,
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const { title, what, leave } = words;
    void confirm({ title, what, action: leave, danger: true }).then((sure) =>
      sure ? blocker.proceed() : blocker.reset(),
    );
  }, [blocker, confirm, words]);
  useAskBeforeUnload(isUnsaved);
}
