import { type KeyboardEvent, type RefObject, useState } from "react";
import { useNavigate } from "react-router";
import type { ListedLead } from "../../records/listed-lead.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import type { AfterEdit } from "../../table/cell.ts";
import { useWords } from "../../words/use-words.ts";
import { type Edited, useActions } from "../list/lead-list-context.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import { hasColumn } from "../list/list-fields.ts";
import type { Placed } from "./use-sheet.ts";

/** The active cell, by lead id, so that it stays on its lead when rows are inserted. */
interface Place {
  lead: string;
  column: string;
  editing: boolean;
}

const PAGE = 10;

/** Moves between cells and edits them, with the keys of spreadsheets and with j, k, x, e. */
export function useCellKeys(table: {
  leads: readonly ListedLead[];
  columns: readonly Placed[];
  mayWrite: boolean;
  scroller: RefObject<HTMLElement | null>;
  show(index: number): void;
  onJump(to: "start" | "end"): void;
  onEscape(): void;
}) {
  const { leads, columns, scroller } = table;
  const words = useWords(LEAD_LIST_WORDS);
  const actions = useActions();
  const navigate = useNavigate();
  const [place, setPlace] = useState<Place>();
  const index = place === undefined ? -1 : leads.findIndex(({ id }) => id === place.lead);
  const at = columns.findIndex(({ name }) => name === place?.column);

  const go = (to: number, column = Math.max(at, 0), editing = false) => {
    const row = Math.min(Math.max(to, 0), leads.length - 1);
    const lead = leads[row];
    const target = columns[Math.min(Math.max(column, 0), columns.length - 1)];
    if (lead === undefined || target === undefined) return;
    setPlace({ lead: lead.id, column: target.name, editing });
    table.show(row);
    if (!editing) scroller.current?.focus({ preventScroll: true });
  };
  const edit = (row = index, column = at) => {
    const target = columns[column];
    if (row < 0 || target === undefined) return;
    const lead = leads[row];
    const isKnown = lead !== undefined && hasColumn(lead, target.name);
    go(row, column, table.mayWrite && target.writable && isKnown);
  };
  const done = (then: AfterEdit, edited?: Edited) => {
    const lead = leads[index];
    const column = columns[at];
    if (lead === undefined || column === undefined) return setPlace(undefined);
    if (edited === "cancel") actions.unsaved.forget(lead.id, column.name);
    else if (edited !== undefined) actions.save(lead, column.name, edited.value, edited.input, edited.seen);
    const step = then === "before" ? -1 : 1;
    let next = at + step;
    while (columns[next]?.writable === false) next += step;
    if (then !== "stay" && columns[next] !== undefined) go(index, next, true);
    else go(index, at);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const lead = leads[index];
    const mod = event.ctrlKey || event.metaKey;
    const row = (to: number) => {
      if (event.shiftKey && lead !== undefined) {
        if (table.mayWrite) actions.toggle(Math.min(Math.max(to, 0), leads.length - 1), true);
      }
      go(to);
    };
    const keys: Record<string, () => void> = {
      ArrowDown: () => row(index + 1),
      ArrowUp: () => row(index - 1),
      PageDown: () => row(index + PAGE),
      PageUp: () => row(index - PAGE),
      ArrowRight: () => go(index, at + 1),
      ArrowLeft: () => go(index, at - 1),
      Home: () => (mod ? table.onJump("start") : go(index, 0)),
      End: () => (mod ? table.onJump("end") : go(index, columns.length - 1)),
      F2: () => edit(),
      Enter() {
        if (lead === undefined) return;
        if (columns[at]?.name === "name" || !table.mayWrite) void navigate(actions.address(lead));
        else edit();
      },
      " ": () => table.mayWrite && index >= 0 && actions.toggle(index, event.shiftKey),
      Escape: table.onEscape,
    };
    const run = keys[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  const own = (focused: Element) => focused === scroller.current;
  useShortcut("j", words.down, () => go(index + 1), { own });
  useShortcut("k", words.up, () => go(index - 1), { own });
  useShortcut("x", words.select, () => index >= 0 && actions.toggle(index, false), {
    enabled: table.mayWrite,
    own,
  });
  useShortcut("e", words.edit, () => edit(index, Math.max(at, 0)), { enabled: table.mayWrite, own });
  return { place, index, go, edit, done, onKeyDown };
}
