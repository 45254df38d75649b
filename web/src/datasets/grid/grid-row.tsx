import { ActionIcon, Anchor, Checkbox } from "@mantine/core";
import { type CSSProperties, memo } from "react";
import { Link } from "react-router";
import type { Column } from "../../../../src/contract/datasets/dataset.ts";
import { IconArrowsDiagonal, IconUser } from "../../look/icons.ts";
import { type AfterEdit, cellId } from "../../table/cell.ts";
import { isShifted } from "../../table/events.ts";
import table from "../../table/table.module.css";
import { useWords } from "../../words/use-words.ts";
import { useCellText } from "../model/cell-text.ts";
import { isBlank, type Row } from "../model/dataset.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import type { InputValue } from "../rows/input-value.ts";
import { type CellFault, faultKey } from "../rows/use-save-cell.ts";
import { CellEditor, type Edited } from "./cell-editor.tsx";
import styles from "./grid.module.css";

/** A column and its position. */
export interface PlacedColumn {
  column: Column;
  index: number;
  left: number;
  width: number;
}

export const isNumeric = ({ type }: Column): boolean => type === "number" || type === "integer";

/** The row's height without its border; an empty cell has no height of its own. */
const CELL_HEIGHT = 39;

/** The first column is sticky; it is part of the row's flow, next to the gutter. */
export const placedAt = ({ index, left, width }: PlacedColumn): CSSProperties =>
  index === 0
    ? { position: "sticky", zIndex: 2, insetInlineStart: left, width, height: CELL_HEIGHT }
    : { position: "absolute", insetInlineStart: left, width, height: CELL_HEIGHT };

/** A row of fixed height with its visible cells. */
export const GridRow = memo(function GridRow(line: {
  row: Row;
  name: string;
  index: number;
  start: number;
  width: number;
  gutter: number;
  columns: readonly PlacedColumn[];
  active: string | undefined;
  editing: boolean;
  chosen: boolean;
  mayWrite: boolean;
  isLinked: boolean;
  faults: ReadonlyMap<string, CellFault> | undefined;
  /** The cells whose value is on its way. */
  saving: ReadonlySet<string>;
  leadAddress(row: Row): string;
  onToggle(index: number, through: boolean): void;
  onOpen(row: Row): void;
  onType(row: Row, column: Column, input: InputValue | undefined, isTaken?: boolean): void;
  onDone(then: AfterEdit, edited?: Edited): void;
}) {
  const { row, name, index, active, editing } = line;
  const words = useWords(ROW_WORDS);
  return (
    <tr
      className={table.row}
      style={{ width: line.width, transform: `translateY(${line.start}px)` }}
      aria-rowindex={index + 2}
      aria-selected={line.chosen}
      data-row={index}
      data-active={active !== undefined || undefined}
      data-editing={editing || undefined}
    >
      <td className={styles.gutter} style={{ width: line.gutter }}>
        {line.mayWrite && (
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={`${words.choose}: ${name}`}
            checked={line.chosen}
            onChange={(event) => line.onToggle(index, isShifted(event.nativeEvent))}
          />
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          tabIndex={-1}
          aria-label={`${words.openRow}: ${name}`}
          onClick={() => line.onOpen(row)}
        >
          <IconArrowsDiagonal size={15} />
        </ActionIcon>
        {line.isLinked && row._lead_id !== null && (
          <ActionIcon
            component={Link}
            to={line.leadAddress(row)}
            variant="subtle"
            size={24}
            tabIndex={-1}
            aria-label={`${words.openLead}: ${name}`}
          >
            <IconUser size={15} />
          </ActionIcon>
        )}
      </td>
      {line.columns.map((placed) => {
        const { column } = placed;
        const fault = line.faults?.get(faultKey(row._id, column.key));
        const isHere = active === column.key;
        return (
          <td
            key={column.key}
            id={cellId(row._id, column.key)}
            className={isNumeric(column) ? table.number : table.cell}
            style={placedAt(placed)}
            aria-colindex={placed.index + 2}
            data-column={column.key}
            data-here={isHere || undefined}
            data-unsaved={line.saving.has(faultKey(row._id, column.key)) ? "saving" : undefined}
            data-wrong={fault !== undefined || undefined}
            title={fault?.message}
          >
            {editing && isHere ? (
              <CellEditor row={row} column={column} fault={fault} onType={line.onType} onDone={line.onDone} />
            ) : fault?.input !== undefined ? (
              <bdi className={styles.wrong}>{String(fault.input).slice(0, 300)}</bdi>
            ) : isBlank(row[column.key]) ? null : (
              <GridCell column={column} value={row[column.key]} />
            )}
          </td>
        );
      })}
    </tr>
  );
});

/** A read-only cell. URLs become links; values are never rendered as anything but text. */
function GridCell({ column, value }: { column: Column; value: unknown }) {
  const textOf = useCellText();
  const text = textOf(column, value);
  if (text === "") return null;
  if (column.type === "url" && typeof value === "string" && /^https?:\/\//i.test(value))
    return (
      <Anchor href={value} target="_blank" rel="noopener noreferrer" tabIndex={-1} fz="inherit">
        <bdi>{text}</bdi>
      </Anchor>
    );
  return <bdi>{text}</bdi>;
}
