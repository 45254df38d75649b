import { LongText } from "../../parts/long-text.tsx";
import { ConflictDialog, type ConflictWords } from "../../records/conflict-dialog.tsx";
import type { Lead } from "../../records/lead.ts";
import type { Conflict } from "../../records/use-save.ts";
import { useValueText } from "../../records/value-text.ts";
import { useFormat } from "../../words/format.ts";
import { useWords, type Words } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";

const WORDS: Words<ConflictWords> = {
  en: {
    title: "Somebody changed this too",
    what: "While you were editing, the same field got another value. Which one is right?",
    theirs: "Their value",
    mine: "Your value",
    keepTheirs: "Keep theirs",
    keepMine: "Use mine",
  },
  "pt-BR": {
    title: "Alguém também mudou isto",
    what: "Enquanto você editava, o mesmo campo recebeu outro valor. Qual está certo?",
    theirs: "Valor da outra pessoa",
    mine: "Seu valor",
    keepTheirs: "Manter o outro",
    keepMine: "Usar o meu",
  },
};

/** The choice between both values of one of the lead's fields. */
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
      theirs={<LongText text={textOf(field, theirs, record.currency)} />}
      mine={<LongText text={textOf(field, mine, record.currency)} />}
      onSettle={onSettle}
    />
  );
}
