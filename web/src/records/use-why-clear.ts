import { useCallback } from "react";
import { useReason } from "../parts/confirm.tsx";
import { leadName } from "../words/lead-name.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { leadValue } from "./lead.ts";
import type { ListedLead } from "./listed-lead.ts";

const WORDS: Words<Record<"title" | "reason" | "clear", string> & { what(name: string): string }> = {
  en: {
    title: "Clear this opt-out?",
    what: (name) =>
      `${name} asked not to be contacted. Say why that no longer holds. The reason stays in the history.`,
    reason: "Reason",
    clear: "Clear the opt-out",
  },
  "pt-BR": {
    title: "Remover este opt-out?",
    what: (name) =>
      `${name} pediu para não ser contatado. Diga por que isso não vale mais. O motivo fica no histórico.`,
    reason: "Motivo",
    clear: "Remover o opt-out",
  },
};

/**
 * Returns a function that asks why an opt-out is cleared before a value is saved: the reason, null if it is not to be cleared,
 * and undefined for every other value.
 */
export function useWhyClear(): (
  lead: ListedLead,
  field: string,
  value: unknown,
) => Promise<string | null | undefined> {
  const words = useWords(WORDS);
  const ask = useReason();
  return useCallback(
    async (lead, field, value) => {
      if (field !== "do_not_contact" || value === true || leadValue(lead, field) !== true) return undefined;
      const what = words.what(leadName(lead));
      return await ask({ title: words.title, what, action: words.clear, reason: words.reason, danger: true });
    },
    [words, ask],
  );
}
