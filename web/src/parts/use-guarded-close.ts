import { useRef } from "react";
import { useWords, type Words } from "../words/use-words.ts";
import { useConfirm } from "./confirm.tsx";

const WORDS: Words<Record<"title" | "what" | "discard", string>> = {
  en: {
    title: "Discard what you typed?",
    what: "It is not saved.",
    discard: "Discard",
  },
  "pt-BR": {
    title: "Descartar o que você digitou?",
    what: "O texto não foi salvo.",
    discard: "Descartar",
  },
};

/** Returns `onClose` for a dialog with a form: Escape, the cross and a click outside ask first if text would be lost. */
export function useGuardedClose(isUnsaved: boolean, onClose: () => void): () => void {
  const words = useWords(WORDS);
  const confirm = useConfirm();
  const asking = useRef(false);
  return () => {
    if (!isUnsaved) return onClose();
    if (asking.current) return;
    asking.current = true;
    const { title, what, discard: action } = words;
    void confirm({ title, what, action, danger: true }).then((sure) => {
      // the same Escape closes the question and reaches this dialog too
      setTimeout(() => {
        asking.current = false;
      });
      if (sure) onClose();
    });
  };
}
