import { ConflictDialog } from "../../records/conflict-dialog.tsx";
import { withValue } from "../../records/lead.ts";
import type { ListedLead } from "../../records/listed-lead.ts";
import type { Conflict } from "../../records/use-save.ts";
import { isEmpty } from "../../records/value.ts";
import { leadName } from "../../words/lead-name.ts";
import { useWords } from "../../words/use-words.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import type { LeadColumn } from "./columns.ts";
import { LeadCell } from "./lead-cell.tsx";

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
