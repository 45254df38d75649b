import { type MouseEvent, useEffect, useRef } from "react";
import type { ListedLead } from "../../records/listed-lead.ts";
import { cellId } from "../../table/cell.ts";
import { elementOf } from "../../table/events.ts";
import type { Sort } from "../../table/sort.ts";
import styles from "../../table/table.module.css";
import { useEndless } from "../../table/use-endless.ts";
import { useWords } from "../../words/use-words.ts";
import { useActions } from "../list/lead-list-context.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import type { useSelection } from "../list/use-selection.ts";
import { LeadRow } from "./lead-row.tsx";
import { TableHead } from "./table-head.tsx";
import { useCellKeys } from "./use-cell-keys.ts";
import type { Layout } from "./use-layout.ts";
import type { Sheet } from "./use-sheet.ts";
import { useSteadyRows } from "./use-steady-rows.ts";
import { useWantedCell } from "./use-wanted-cell.ts";

const ROW_HEIGHT = 40;

/** What a list of leads needs, as a table or as cards. */
export interface ListOfLeads {
  name: string;
  leads: readonly ListedLead[];
  from: "start" | "end";
  hasMore: boolean;
  isLoading: boolean;
  /** Whether the rows still belong to the query before, until the new ones arrive. */
  isOld: boolean;
  load(): void;
  total: number | undefined;
  selection: ReturnType<typeof useSelection>;
  /** Receives which rows are visible. */
  onSee(first: number, last: number): void;
}

/** The leads as a table. Only the visible rows and a few more are in the document. */
export function LeadsTable(
  table: ListOfLeads & {
    sheet: Sheet;
    layout: Layout;
    onLayout(changed: Partial<Layout>): void;
    sort: readonly Sort[];
    onSort(sort: readonly Sort[]): void;
    mayWrite: boolean;
    onJump(to: "start" | "end"): void;
  },
) {
  const { leads, sheet, selection, from } = table;
  const words = useWords(LEAD_LIST_WORDS);
  const { scroller, virtual, items, before } = useEndless<HTMLTableElement>({
    ...table,
    count: leads.length,
    rowHeight: ROW_HEIGHT,
    headHeight: ROW_HEIGHT,
  });
  useSteadyRows(scroller, table, ROW_HEIGHT);
  const [first, last] = [(items[0]?.index ?? 0) - before, (items.at(-1)?.index ?? 0) - before];
  const { onSee } = table;
  useEffect(() => onSee(first, last), [onSee, first, last]);
  const keys = useCellKeys({
    leads,
    columns: sheet.columns,
    mayWrite: table.mayWrite,
    scroller,
    show: (index) => virtual.scrollToIndex(index + before, { align: "auto" }),
    onJump: table.onJump,
    onEscape: selection.clear,
  });
  const done = useRef(keys.done);
  done.current = keys.done;
  const onDone = useRef<typeof keys.done>((then, edited) => done.current(then, edited)).current;

  const cellOf = ({ target }: MouseEvent) => {
    const cell = elementOf(target)?.closest<HTMLElement>("[data-column]");
    const row = Number(cell?.closest<HTMLElement>("[data-row]")?.dataset.row ?? -1);
    return { row, column: sheet.columns.findIndex(({ name }) => name === cell?.dataset.column) };
  };
  const { place } = keys;
  const { unsaved } = useActions();
  useWantedCell(unsaved, leads, sheet.columns, keys);
  const isSeen = items.some(({ index }) => index - before === keys.index);
  const chosen = leads.filter(({ id }) => selection.has(id)).length;
  return (
    <table
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with cell navigation is a grid
      role="grid"
      tabIndex={0}
      className={styles.scroller}
      aria-label={words.table}
      aria-rowcount={table.total === undefined ? -1 : table.total + 1}
      aria-multiselectable
      aria-busy={table.isOld}
      aria-activedescendant={place !== undefined && isSeen ? cellId(place.lead, place.column) : undefined}
      data-old={table.isOld || undefined}
      onKeyDown={keys.onKeyDown}
      onFocus={(event) => {
        if (event.target === event.currentTarget && place === undefined) keys.go(0, 0);
      }}
      onClick={(event) => {
        const { row, column } = cellOf(event);
        const isEditing = elementOf(event.target)?.closest("[data-editing] :is(input, [role=alert])") != null;
        if (row >= 0 && column >= 0 && !isEditing) keys.go(row, column);
      }}
      onDoubleClick={(event) => {
        const { row, column } = cellOf(event);
        if (row >= 0 && column >= 0) keys.edit(row, column);
      }}
    >
      <TableHead
        sheet={sheet}
        layout={table.layout}
        onLayout={table.onLayout}
        sort={table.sort}
        onSort={table.onSort}
        chosen={chosen === 0 ? "none" : chosen === leads.length ? "all" : "some"}
        onChooseAll={() => selection.toggleLoaded(leads)}
        mayWrite={table.mayWrite}
      />
      <tbody className={styles.rows} style={{ height: virtual.getTotalSize(), width: sheet.width }}>
        {items.map((item) => {
          const index = item.index - before;
          const lead = leads[index];
          const start = item.start - ROW_HEIGHT;
          if (lead === undefined) return <ComingRow key={item.key} start={start} width={sheet.width} />;
          const isHere = place?.lead === lead.id;
          return (
            <LeadRow
              key={lead.id}
              lead={lead}
              index={index}
              place={from === "start" ? index + 2 : undefined}
              start={start}
              width={sheet.width}
              columns={sheet.columns}
              active={isHere ? place.column : undefined}
              editing={isHere && place.editing}
              chosen={selection.has(lead.id)}
              mayWrite={table.mayWrite}
              unsaved={unsaved.cells.size === 0 ? undefined : unsaved.cells}
              onDone={onDone}
            />
          );
        })}
      </tbody>
    </table>
  );
}

/** A row that is loading. */
const ComingRow = ({ start, width }: { start: number; width: number }) => (
  <tr className={styles.coming} style={{ width, transform: `translateY(${start}px)` }} aria-hidden>
    <td />
  </tr>
);
