import { type ColumnDef, getCoreRowModel, type Table, useReactTable } from "@tanstack/react-table";
import { useMemo } from "react";
import { useFields } from "../../api/queries.ts";
import type { ListedLead } from "../../records/listed-lead.ts";
import { useOwnTypes } from "../list/use-people.ts";
import { columnsOf, type LeadColumn, usualSize } from "./columns.ts";
import type { Layout } from "./use-layout.ts";

/** The column with the checkboxes. */
const CHOICE = "#";

/** A column with its position: `left` for pinned columns. */
export interface Placed extends LeadColumn {
  size: number;
  left: number | undefined;
}

export interface Sheet {
  /** Every field that can be a column. */
  all: readonly LeadColumn[];
  /** The visible columns, from left to right. */
  columns: readonly Placed[];
  width: number;
  table: Table<ListedLead>;
}

const NO_ROWS: ListedLead[] = [];
export const CHOICE_SIZE = 44;

/** The columns by the layout. The table library does not hold the rows: they load page by page and are virtual. */
export function useSheet(
  layout: Layout,
  change: (changed: Partial<Layout>) => void,
  deleted: boolean,
): Sheet {
  const { data } = useFields();
  const types = useOwnTypes();
  const all = useMemo(() => columnsOf(data?.fields ?? [], types, deleted), [data, types, deleted]);
  const shown = useMemo(
    () => layout.columns.flatMap((name) => all.find((column) => column.name === name) ?? []),
    [layout.columns, all],
  );
  const definitions = useMemo<ColumnDef<ListedLead>[]>(
    () => [
      { id: CHOICE, size: CHOICE_SIZE, enableResizing: false },
      ...shown.map((column) => ({ id: column.name, size: usualSize(column), minSize: 72, maxSize: 720 })),
    ],
    [shown],
  );
  const table = useReactTable({
    data: NO_ROWS,
    columns: definitions,
    getCoreRowModel: getCoreRowModel(),
    columnResizeMode: "onChange",
    state: { columnSizing: { ...layout.sizes }, columnPinning: { left: [CHOICE, ...layout.pinned] } },
    onColumnSizingChange: (update) =>
      change({ sizes: typeof update === "function" ? update({ ...layout.sizes }) : update }),
  });
  const places = [...table.getLeftLeafColumns(), ...table.getCenterLeafColumns()];
  const key = JSON.stringify(places.map((column) => [column.id, column.getSize()]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key covers all positions, which are new on each render
  const columns = useMemo<Placed[]>(
    () =>
      places.flatMap((column) => {
        const field = shown.find(({ name }) => name === column.id);
        const left = column.getIsPinned() === "left" ? column.getStart("left") : undefined;
        return field === undefined ? [] : [{ ...field, size: column.getSize(), left }];
      }),
    [key, shown],
  );
  return { all, columns, width: table.getTotalSize(), table };
}
