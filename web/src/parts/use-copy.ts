import { notifications } from "@mantine/notifications";
import { useCallback } from "react";
import { useWords, type Words } from "../words/use-words.ts";
import { done } from "./toast.ts";

const WORDS: Words<Record<"copied" | "failed", string>> = {
  en: { copied: "Copied", failed: "The browser did not allow copying. Select the text and copy it." },
  "pt-BR": { copied: "Copiado", failed: "O navegador não permitiu copiar. Selecione o texto e copie." },
};

/** Returns a function that copies a text and reports it, to screen readers as well. */
export function useCopy(): (text: string) => void {
  const words = useWords(WORDS);
  return useCallback(
    (text) => {
      void copied(text).then((isCopied) => {
        if (isCopied) done(words.copied);
        else notifications.show({ message: words.failed, color: "red", role: "alert", withBorder: true });
      });
    },
    [words],
  );
}

/** Browsers have no clipboard for pages without https, and people may refuse it: then the text is selected and copied. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = document.activeElement;
    const field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    field.className = "unseen";
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return isCopied;
  }
}
