import { useVirtualizer } from "@tanstack/react-virtual";
import { type ClipboardEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef } from "react";
import type { Column, Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { cellId } from "../../table/cell.ts";
import { elementOf } from "../../table/events.ts";
import type { Sort } from "../../table/sort.ts";
import table from "../../table/table.module.css";
import { useEndless } from "../../table/use-endless.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { clipboardText } from "../model/clipboard-text.ts";
import { type Row, rowName } from "../model/dataset.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import type { Pasted } from "../paste/paste.ts";
import { type InputValue, needsRoom } from "../rows/input-value.ts";
import { readTable } from "../rows/read-text.ts";
import type { useRowSelection } from "../rows/use-row-selection.ts";
import type { useSaveCell } from "../rows/use-save-cell.ts";
import { GridHead } from "./grid-head.tsx";
import { GridRow, type PlacedColumn } from "./grid-row.tsx";
import { useGridKeys } from "./use-grid-keys.ts";

const ROW_HEIGHT = 40;
const WIDTHS: Partial<Record<Column["type"], number>> = {
  integer: 120,
  number: 130,
  boolean: 110,
  date: 140,
  datetime: 190,
  email: 230,
  url: 240,
};

/** The props of a list of rows, shown as a grid or as cards. */
export interface ListOfRows {
  name: string;
  dataset: Dataset;
  rows: readonly Row[];
  hasMore: boolean;
  isLoading: boolean;
  isOld: boolean;
  load(): void;
  total: number | undefined;
  mayWrite: boolean;
  choice: ReturnType<typeof useRowSelection>;
  leadAddress(row: Row): string;
  onOpen(row: Row): void;
}

/** The rows as a grid. Only visible rows and columns, and a few more, are in the document. */
export function Grid(
  grid: ListOfRows & {
    cells: ReturnType<typeof useSaveCell>;
    sort: readonly Sort[];
    onSort(sort: readonly Sort[]): void;
    onPaste(pasted: Pasted): void;
  },
) {
  const { dataset, rows, cells, choice, mayWrite, onOpen } = grid;
  const { columns } = dataset;
  const words = useWords(ROW_WORDS);
  const locale = useLocale();
  const gutter = 40 + (mayWrite ? 32 : 0) + (dataset.lead_link === null ? 0 : 28);
  const { scroller, virtual, items } = useEndless<HTMLTableElement>({
    ...grid,
    from: "start",
    count: rows.length,
    rowHeight: ROW_HEIGHT,
    headHeight: ROW_HEIGHT,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (i) => widthOf(columns[i]),
    scrollMargin: gutter,
    scrollPaddingStart: gutter + widthOf(columns[0]),
    overscan: 4,
  });
  const width = across.getTotalSize() + gutter;
  const first = { index: 0, start: gutter, size: widthOf(columns[0]) };
  const seen = [first, ...across.getVirtualItems().filter(({ index }) => index > 0)];
  const where = JSON.stringify(seen.map(({ index, start, size }) => [index, start, size]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `where` stands for all positions, which are new objects each time
  const placed = useMemo<PlacedColumn[]>(
    () =>
      seen.flatMap(({ index, start, size }) => {
        const column = columns[index];
        return column === undefined ? [] : [{ column, index, left: start, width: size }];
      }),
    [where, columns],
  );
  const keys = useGridKeys({
    rows,
    columns,
    mayWrite,
    scroller,
    show(row, column) {
      virtual.scrollToIndex(row, { align: "auto" });
      if (column > 0) across.scrollToIndex(column, { align: "auto" });
    },
    editElsewhere(row, column) {
      if (!mayWrite || !needsRoom(column, row[column.key])) return false;
      onOpen(row);
      return true;
    },
    save: cells.save,
    toggle: (index, through) => choice.toggle(rows, index, through),
    open: onOpen,
    onEscape: choice.clear,
  });
  const latest = useRef({ keys, rows, choice });
  latest.current = { keys, rows, choice };
  const { wanted, opened } = cells;
  const wantedRow = wanted === undefined ? -1 : rows.findIndex(({ _id }) => _id === wanted.row);
  useEffect(() => {
    if (wanted === undefined || wantedRow < 0) return;
    opened();
    const { keys: now } = latest.current;
    const { type } = wanted.column;
    // a list that drops down by itself would be in the way
    if (now.place?.editing === true || type === "boolean" || type === "enum") return;
    now.edit(
      wantedRow,
      columns.findIndex(({ key }) => key === wanted.column.key),
    );
  }, [wanted, wantedRow, opened, columns]);
  const { keep, forget, tell } = cells;
  const onType = useCallback(
    (seen: Row, column: Column, input: InputValue | undefined, isTaken = false) => {
      if (input === undefined) return forget(seen._id, column.key);
      keep(seen, column, input);
      if (isTaken) tell({ row: seen._id, column, input, message: "", seen });
    },
    [keep, forget, tell],
  );
  const onDone = useRef<typeof keys.done>((then, edited) => latest.current.keys.done(then, edited)).current;
  const onToggle = useRef((index: number, through: boolean) =>
    latest.current.choice.toggle(latest.current.rows, index, through),
  ).current;

  const cellOf = ({ target }: MouseEvent) => {
    const cell = elementOf(target)?.closest<HTMLElement>("[data-column]");
    const row = Number(cell?.closest<HTMLElement>("[data-row]")?.dataset.row ?? -1);
    return { row, column: columns.findIndex(({ key }) => key === cell?.dataset.column) };
  };
  const { place } = keys;
  const column = columns[keys.at];
  const isSeen =
    items.some(({ index }) => index === keys.index) && placed.some((each) => each.column === column);
  const onCopy = (event: ClipboardEvent) => {
    if (event.target !== event.currentTarget) return;
    const lines = [...choice.chosen.values()].map((row) =>
      columns.map(({ key }) => clipboardText(row[key], locale)).join("\t"),
    );
    const here = rows[keys.index];
    const text =
      lines.length > 0
        ? lines.join("\n")
        : here && column !== undefined
          ? clipboardText(here[column.key], locale)
          : undefined;
    if (text === undefined) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", text);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.target !== event.currentTarget || !mayWrite) return;
    const text = event.clipboardData.getData("text/plain");
    if (text.trim() === "") return;
    event.preventDefault();
    grid.onPaste({ cells: readTable(text), row: rows[keys.index], column });
  };
  return (
    <table
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells the keys move through is a grid
      role="grid"
      tabIndex={0}
      className={table.scroller}
      aria-label={words.grid}
      aria-rowcount={grid.total === undefined ? -1 : grid.total + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      aria-busy={grid.isOld}
      aria-activedescendant={place !== undefined && isSeen ? cellId(place.row, place.column) : undefined}
      data-old={grid.isOld || undefined}
      onKeyDown={keys.onKeyDown}
      onCopy={onCopy}
      onPaste={onPaste}
      onFocus={(event) => {
        if (event.target === event.currentTarget && place === undefined) keys.go(0, 0);
      }}
      onClick={(event) => {
        const { row, column: at } = cellOf(event);
        const isEditing = elementOf(event.target)?.closest("[data-editing] [data-here]") != null;
        if (row >= 0 && at >= 0 && !isEditing) keys.go(row, at);
      }}
      onDoubleClick={(event) => {
        const { row, column: at } = cellOf(event);
        if (row >= 0 && at >= 0) keys.edit(row, at);
      }}
    >
      <GridHead
        dataset={dataset}
        columns={placed}
        width={width}
        gutter={gutter}
        sort={grid.sort}
        onSort={grid.onSort}
        chosen={choice.chosen.size === 0 ? "none" : choice.chosen.size >= rows.length ? "all" : "some"}
        onChooseAll={() => choice.toggleAll(rows)}
        mayWrite={mayWrite}
      />
      <tbody className={table.rows} style={{ height: virtual.getTotalSize(), width }}>
        {items.map((item) => {
          const row = rows[item.index];
          const start = item.start - ROW_HEIGHT;
          if (row === undefined)
            return (
              <tr
                key={item.key}
                className={table.coming}
                style={{ width, transform: `translateY(${start}px)` }}
                aria-hidden
              >
                <td />
              </tr>
            );
          const isHere = place?.row === row._id;
          return (
            <GridRow
              key={row._id}
              row={row}
              name={rowName(dataset, row)}
              index={item.index}
              start={start}
              width={width}
              gutter={gutter}
              columns={placed}
              active={isHere ? place.column : undefined}
              editing={isHere && place.editing}
              chosen={choice.chosen.has(row._id)}
              mayWrite={mayWrite}
              isLinked={dataset.lead_link !== null}
              faults={cells.faults.size === 0 ? undefined : cells.faults}
              saving={cells.saving}
              onType={onType}
              leadAddress={grid.leadAddress}
              onToggle={onToggle}
              onOpen={onOpen}
              onDone={onDone}
            />
          );
        })}
      </tbody>
    </table>
  );
}

const widthOf = (column: Column | undefined): number => WIDTHS[column?.type ?? "text"] ?? 180;
