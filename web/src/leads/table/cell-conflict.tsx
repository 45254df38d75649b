import { ConflictDialog, type ConflictWords } from "../../records/conflict-dialog.tsx";
import { withValue } from "../../records/lead.ts";
import type { ListedLead } from "../../records/listed-lead.ts";
import type { Conflict } from "../../records/use-save.ts";
import { isEmpty } from "../../records/value.ts";
import { leadName } from "../../words/lead-name.ts";
import { useWords, type Words } from "../../words/use-words.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import type { LeadColumn } from "./columns.ts";
import { LeadCell } from "./lead-cell.tsx";

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

/** The dialog to choose between both values of a cell. */
export function CellConflict({
  conflict,
  column,
  onSettle,
}: {
  conflict: Conflict<ListedLead>;
  column: LeadColumn;
  onSettle(choice: "mine" | "theirs"): void;
}) {
  const words = useWords(WORDS);
  const { empty } = useWords(LEAD_LIST_WORDS);
  const { record, field } = conflict;
  const shown = (value: unknown) =>
    isEmpty(value) ? (
      <i>{empty}</i>
    ) : column.name === "name" ? (
      <bdi>{String(value)}</bdi>
    ) : (
      <LeadCell lead={withValue(record, field, value)} column={column} />
    );
  return (
    <ConflictDialog
      words={words}
      of={
        <>
          <strong>
            <bdi>{leadName(record)}</bdi>
          </strong>{" "}
          · {column.label}
        </>
      }
      theirs={shown(conflict.theirs)}
      mine={shown(conflict.mine)}
      onSettle={onSettle}
    />
  );
}
