import { Checkbox } from "@mantine/core";
import { type CSSProperties, memo } from "react";
import type { ListedLead } from "../../records/listed-lead.ts";
import { cellKey, type UnsavedCell } from "../../records/unsaved-cells.ts";
import { type AfterEdit, cellId } from "../../table/cell.ts";
import { isShifted } from "../../table/events.ts";
import styles from "../../table/table.module.css";
import { leadName } from "../../words/lead-name.ts";
import { useWords } from "../../words/use-words.ts";
import { type Edited, useActions, useKnown } from "../list/lead-list-context.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import type { LeadColumn } from "./columns.ts";
import { LeadCell } from "./lead-cell.tsx";
import { LeadCellEditor } from "./lead-cell-editor.tsx";
import { CHOICE_SIZE, type Placed } from "./use-sheet.ts";

/** The id of a cell's element; the table names the active cell by it. */
const NUMBERS = new Set(["number", "money"]);

const placed = ({ size, left }: Pick<Placed, "size" | "left">): CSSProperties =>
  left === undefined ? { width: size } : { width: size, left, position: "sticky", zIndex: 1 };

/** One lead; all rows have the same height. */
export const LeadRow = memo(function LeadRow(row: {
  lead: ListedLead;
  index: number;
  /** Its position among all rows, from 1 (the header is the first row); undefined if not known. */
  place: number | undefined;
  start: number;
  width: number;
  columns: readonly Placed[];
  active: string | undefined;
  editing: boolean;
  chosen: boolean;
  mayWrite: boolean;
  /** The cells of the table that are not saved, undefined if there are none. */
  unsaved: ReadonlyMap<string, UnsavedCell> | undefined;
  onDone(then: AfterEdit, edited?: Edited): void;
}) {
  const { lead, index, columns, active, editing, chosen } = row;
  const { toggle } = useActions();
  const words = useWords(LEAD_LIST_WORDS);
  return (
    <tr
      className={styles.row}
      style={{ width: row.width, transform: `translateY(${row.start}px)` }}
      aria-rowindex={row.place}
      aria-selected={chosen}
      data-row={index}
      data-active={active !== undefined || undefined}
      data-editing={editing || undefined}
    >
      <td className={styles.choice} style={placed({ size: CHOICE_SIZE, left: 0 })}>
        {row.mayWrite && (
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={`${words.choose}: ${leadName(lead) || words.nameless}`}
            checked={chosen}
            onChange={(event) => toggle(index, isShifted(event.nativeEvent))}
          />
        )}
      </td>
      {columns.map((column) => {
        const unsaved = row.unsaved?.get(cellKey(lead.id, column.name));
        return (
          <td
            key={column.name}
            id={cellId(lead.id, column.name)}
            className={NUMBERS.has(column.kind) ? styles.number : styles.cell}
            style={placed(column)}
            data-column={column.name}
            data-here={active === column.name || undefined}
            data-unsaved={unsaved?.state}
            title={unsaved?.message}
          >
            {editing && active === column.name ? (
              <LeadCellEditor lead={lead} column={column} unsaved={unsaved} onDone={row.onDone} />
            ) : unsaved === undefined ? (
              <LeadCell lead={lead} column={column} />
            ) : (
              <UnsavedValue unsaved={unsaved} column={column} />
            )}
          </td>
        );
      })}
    </tr>
  );
});

/** What was typed, which is not the lead's value yet; on its way it is marked as such. */
function UnsavedValue({ unsaved, column }: { unsaved: UnsavedCell; column: LeadColumn }) {
  const { people } = useKnown();
  const { input, state } = unsaved;
  const text = Array.isArray(input) ? input.join(", ") : input === null ? "" : String(input);
  return (
    <bdi className={styles.unsaved} data-state={state} aria-busy={state === "saving" || undefined}>
      {column.kind === "owner" ? (people.get(text) ?? text) : text.slice(0, 300)}
    </bdi>
  );
}
