import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import type { Column } from "../../../../src/contract/datasets/dataset.ts";
import { useUnsaved } from "../../drafts/unsaved.ts";
import { useProject } from "../../session/me.ts";
import { useSession } from "../../session/session.ts";
import type { AfterEdit } from "../../table/cell.ts";
import table from "../../table/table.module.css";
import { useLocale } from "../../words/use-words.ts";
import type { Row } from "../model/dataset.ts";
import { faultText } from "../model/dataset-faults.ts";
import { ColumnInput } from "../rows/column-input.tsx";
import { type InputValue, inputOf, readInput } from "../rows/input-value.ts";
import type { CellFault } from "../rows/use-save-cell.ts";
import styles from "./grid.module.css";

/** The cell to edit next: none, or the next or previous one in the row. */
export interface Edited {
  value: unknown;
  input: InputValue;
}

/** Edits a cell: Enter, Tab and leaving it save, Escape cancels. Unreadable input is reported here. */
export function CellEditor(editor: {
  row: Row;
  column: Column;
  fault: CellFault | undefined;
  /** Keeps what was typed, for a reload; undefined for nothing. `isTaken`: the editor is gone with its row. */
  onType(row: Row, column: Column, input: InputValue | undefined, isTaken?: boolean): void;
  onDone(then: AfterEdit, edited?: Edited): void;
}) {
  const { row, column, fault, onType, onDone } = editor;
  const { timezone } = useProject();
  const locale = useLocale();
  const { over: signedOut } = useSession();
  const before = row[column.key];
  const [input, setInput] = useState<InputValue>(fault?.input ?? inputOf(column, before, timezone));
  const [message, setMessage] = useState(fault?.message);
  const over = useRef(false);
  // a kept value belongs to the row that the person saw while typing it, which may have changed since
  const seen = fault?.seen ?? row;
  const isTyped = input !== inputOf(column, seen[column.key], timezone);
  const discard = useCallback(() => {
    over.current = true;
  }, []);
  useUnsaved(isTyped, discard);
  // a row or column that is scrolled away, or no longer there, takes its editor with it
  const taken = useRef(() => {});
  taken.current = () => {
    if (isTyped && !over.current && fault?.input !== input) onType(seen, column, input, true);
  };
  useEffect(() => () => taken.current(), []);
  const isChoice = column.type === "boolean" || column.type === "enum";
  const finish = (then: AfterEdit, chosen: InputValue = input) => {
    if (over.current) return;
    const reading = readInput(column, chosen, before, { locale, timezone });
    if ("code" in reading) return setMessage(faultText(locale, reading));
    over.current = true;
    onDone(then, { value: reading.value, input: chosen });
  };
  const leave = () => {
    if (over.current) return;
    over.current = true;
    onType(seen, column, fault?.input);
    onDone("stay");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") leave();
    else if (event.key === "Tab") {
      event.preventDefault();
      finish(event.shiftKey ? "before" : "next");
    } else if (event.key === "Enter" && !isChoice) finish("stay");
  };
  const onBlur = (event: FocusEvent) => {
    if (event.currentTarget.contains(event.relatedTarget)) return;
    // a value that was just not saved waits
    if (fault !== undefined && fault.input === input) leave();
    else finish("stay");
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys bubble up from the input inside
    <div className={table.editor} onKeyDown={onKeyDown} onBlur={isChoice ? undefined : onBlur}>
      <ColumnInput
        aria-label={column.label}
        autoFocus={!signedOut}
        size="xs"
        radius={0}
        column={column}
        value={input}
        opened
        onChange={(next) => {
          setInput(next);
          onType(seen, column, next);
          if (isChoice) finish("stay", next);
        }}
        {...(isChoice && { onClose: leave })}
      />
      {message !== undefined && message !== "" && (
        <div className={styles.cellMessage} role="alert">
          {message}
        </div>
      )}
    </div>
  );
}
