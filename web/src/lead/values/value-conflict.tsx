import type { Lead } from "../../../../src/contract/leads/lead.ts";
import { LongText } from "../../parts/long-text.tsx";
import { ConflictDialog } from "../../records/conflict-dialog.tsx";
import type { Conflict } from "../../records/use-save.ts";
import { useValueText } from "../../records/value-text.ts";
import { useFormat } from "../../words/format.ts";
import { useLeadHere } from "../context/lead-context.ts";

/** The dialog to choose between both values of a lead's field. */
export function ValueConflict({
  conflict,
  onSettle,
}: {
  conflict: Conflict<Lead>;
  onSettle(choice: "mine" | "theirs"): void;
}) {
  const { ago } = useFormat();
  const { fields } = useLeadHere();
  const textOf = useValueText();
  const { record, field, theirs, mine } = conflict;
  return (
    <ConflictDialog
      of={<bdi>{fields.get(field)?.label ?? field}</bdi>}
      when={typeof record.updated_at === "string" ? ago(record.updated_at) : ""}
      theirs={<LongText text={textOf(field, theirs, record.currency)} money={field === "value"} />}
      mine={<LongText text={textOf(field, mine, record.currency)} money={field === "value"} />}
      onSettle={onSettle}
    />
  );
}
