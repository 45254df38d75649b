import { ConflictDialog, type ConflictWords } from "../../records/conflict-dialog.tsx";
import { type Lead, leadName, withValue } from "../../records/lead.ts";
import type { Conflict } from "../../records/use-save.ts";
import { isEmpty } from "../../records/value.ts";
import { useWords, type Words } from "../../words/use-words.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import type { LeadColumn } from "./columns.ts";
import { LeadCell } from "./lead-cell.tsx";

const WORDS: Words<ConflictWords> = {
  en: {
    title: "Somebody changed this meanwhile",
    what: "Both values are here. Choose which one stays.",
    theirs: "It is now",
    mine: "You wrote",
    keepTheirs: "Keep theirs",
    keepMine: "Keep mine",
  },
  "pt-BR": {
    title: "Alguém mudou isto enquanto você editava",
    what: "Os dois valores estão aqui. Escolha qual fica.",
    theirs: "Agora é",
    mine: "Você escreveu",
    keepTheirs: "Manter o deles",
    keepMine: "Manter o meu",
  },
};

/** The choice between both values of a cell. */
export function CellConflict({
  conflict,
  column,
  onSettle,
}: {
  conflict: Conflict<Lead>;
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
