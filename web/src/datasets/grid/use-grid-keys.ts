import { type KeyboardEvent, type RefObject, useState } from "react";
import type { Column } from "../../../../src/contract/datasets/dataset.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import type { AfterEdit } from "../../table/cell.ts";
import { useWords } from "../../words/use-words.ts";
import type { Row } from "../model/dataset.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import type { Edited } from "./cell-editor.tsx";

/** The active cell, by row id, so that it stays with its row when others are inserted. */
interface Place {
  row: string;
  column: string;
  editing: boolean;
}

const PAGE = 10;

/** Moves between cells and edits them with the keys of spreadsheets. */
export function useGridKeys(grid: {
  rows: readonly Row[];
  columns: readonly Column[];
  mayWrite: boolean;
  scroller: RefObject<HTMLElement | null>;
  show(row: number, column: number): void;
  /** Edits the cell in the row's dialog if its line is too short; returns whether it did. */
  editElsewhere(row: Row, column: Column): boolean;
  save(row: Row, column: Column, value: unknown, input?: Edited["input"]): void;
  toggle(index: number, through: boolean): void;
  open(row: Row): void;
  onEscape(): void;
}) {
  const { rows, columns, scroller } = grid;
  const words = useWords(ROW_WORDS);
  const [place, setPlace] = useState<Place>();
  const index = place === undefined ? -1 : rows.findIndex((row) => row._id === place.row);
  const at = columns.findIndex(({ key }) => key === place?.column);

  const go = (to: number, column = Math.max(at, 0), editing = false) => {
    const line = Math.min(Math.max(to, 0), rows.length - 1);
    const beside = Math.min(Math.max(column, 0), columns.length - 1);
    const [row, target] = [rows[line], columns[beside]];
    if (row === undefined || target === undefined) return;
    setPlace({ row: row._id, column: target.key, editing });
    grid.show(line, beside);
    if (!editing) scroller.current?.focus({ preventScroll: true });
  };
  const edit = (line = index, column = at) => {
    const [row, target] = [rows[line], columns[column]];
    if (row === undefined || target === undefined) return;
    const elsewhere = grid.editElsewhere(row, target);
    go(line, column, grid.mayWrite && !elsewhere);
  };
  const done = (then: AfterEdit, edited?: Edited) => {
    const [row, column] = [rows[index], columns[at]];
    if (row === undefined || column === undefined) return setPlace(undefined);
    if (edited !== undefined) grid.save(row, column, edited.value, edited.input);
    const next = then === "before" ? at - 1 : at + 1;
    if (then !== "stay" && columns[next] !== undefined) edit(index, next);
    else go(index, at);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const [row, column] = [rows[index], columns[at]];
    const mod = event.ctrlKey || event.metaKey;
    const step = (to: number) => {
      if (event.shiftKey && row !== undefined && grid.mayWrite)
        grid.toggle(Math.min(Math.max(to, 0), rows.length - 1), true);
      go(to);
    };
    const clear = () => {
      if (grid.mayWrite && row !== undefined && column !== undefined) grid.save(row, column, null, "");
    };
    const keys: Record<string, () => void> = {
      ArrowDown: () => step(index + 1),
      ArrowUp: () => step(index - 1),
      PageDown: () => step(index + PAGE),
      PageUp: () => step(index - PAGE),
      ArrowRight: () => go(index, at + 1),
      ArrowLeft: () => go(index, at - 1),
      Home: () => (mod ? go(0, 0) : go(index, 0)),
      End: () => (mod ? go(rows.length - 1) : go(index, columns.length - 1)),
      F2: () => edit(),
      Enter: () => (grid.mayWrite ? edit() : row !== undefined && grid.open(row)),
      Delete: clear,
      Backspace: clear,
      " ": () => grid.mayWrite && index >= 0 && grid.toggle(index, event.shiftKey),
      Escape: grid.onEscape,
    };
    const run = keys[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  const here = rows[index];
  const own = (focused: Element) => focused === scroller.current;
  useShortcut("o", words.openRow, () => here !== undefined && grid.open(here), { own });
  useShortcut("e", words.edit, () => edit(index, Math.max(at, 0)), { enabled: grid.mayWrite, own });
  return { place, index, at, go, edit, done, onKeyDown };
}
