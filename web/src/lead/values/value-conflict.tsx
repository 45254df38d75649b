import type { Lead } from "../../../../src/contract/leads/lead.ts";
import { LongText } from "../../parts/long-text.tsx";
import { ConflictDialog, type ConflictWords } from "../../records/conflict-dialog.tsx";
import type { Conflict } from "../../records/use-save.ts";
import { useValueText } from "../../records/value-text.ts";
import { useFormat } from "../../words/format.ts";
import { useWords, type Words } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";

const WORDS: Words<ConflictWords> = {
  en: {
    title: "Someone else changed this field",
    what: "This field was changed while you were editing. Choose which value to keep.",
    theirs: "Current value",
    mine: "Your value",
    keepTheirs: "Keep current",
    keepMine: "Use mine",
  },
  "pt-BR": {
    title: "Outra pessoa alterou este campo",
    what: "Este campo foi alterado enquanto você editava. Escolha qual valor manter.",
    theirs: "Valor atual",
    mine: "Seu valor",
    keepTheirs: "Manter o atual",
    keepMine: "Usar o meu",
  },
};

/** The dialog to choose between both values of a lead's field. */
export function ValueConflict({
  conflict,
  onSettle,
}: {
  conflict: Conflict<Lead>;
  onSettle(choice: "mine" | "theirs"): void;
}) {
  const words = useWords(WORDS);
  const { ago } = useFormat();
  const { fields } = useLeadHere();
  const textOf = useValueText();
  const { record, field, theirs, mine } = conflict;
  return (
    <ConflictDialog
      words={words}
      of={<bdi>{fields.get(field)?.label ?? field}</bdi>}
      when={typeof record.updated_at === "string" ? ago(record.updated_at) : ""}
      theirs={<LongText text={textOf(field, theirs, record.currency)} money={field === "value"} />}
      mine={<LongText text={textOf(field, mine, record.currency)} money={field === "value"} />}
      onSettle={onSettle}
    />
  );
}
