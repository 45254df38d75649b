import { Checkbox, Tooltip } from "@mantine/core";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { IconArrowDown, IconArrowUp, IconKey } from "../../look/icons.ts";
import { nextSort, type Sort } from "../../table/sort.ts";
import table from "../../table/table.module.css";
import { TYPE_WORDS } from "../../words/type-words.ts";
import { useWords } from "../../words/use-words.ts";
import { mayBeSorted } from "../model/dataset.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import styles from "./grid.module.css";
import { isNumeric, type PlacedColumn, placedAt } from "./grid-row.tsx";

/** The column headers: type, required and unique marks, and sorting. */
export function GridHead(head: {
  dataset: Dataset;
  columns: readonly PlacedColumn[];
  width: number;
  gutter: number;
  sort: readonly Sort[];
  onSort(sort: readonly Sort[]): void;
  chosen: "all" | "some" | "none";
  onChooseAll(): void;
  mayWrite: boolean;
}) {
  const words = useWords(ROW_WORDS);
  return (
    <thead className={table.head}>
      <tr className={table.headRow} style={{ width: head.width }} aria-rowindex={1}>
        <td className={styles.gutter} style={{ width: head.gutter }}>
          {head.mayWrite && (
            <Checkbox
              size="xs"
              aria-label={words.chooseAll}
              checked={head.chosen === "all"}
              indeterminate={head.chosen === "some"}
              onChange={head.onChooseAll}
            />
          )}
        </td>
        {head.columns.map((placed) => (
          <ColumnHead key={placed.column.key} placed={placed} {...head} />
        ))}
      </tr>
    </thead>
  );
}

function ColumnHead(head: {
  placed: PlacedColumn;
  dataset: Dataset;
  sort: readonly Sort[];
  onSort(sort: readonly Sort[]): void;
}) {
  const { placed, dataset, sort } = head;
  const { column } = placed;
  const words = useWords(ROW_WORDS);
  const types = useWords(TYPE_WORDS);
  const dir = sort.find(({ field }) => field === column.key)?.dir;
  const isKey = dataset.key_column === column.key;
  const demands = [
    types[column.type],
    ...(isKey ? [words.key] : []),
    ...(column.required ? [words.required] : []),
    ...(column.unique ? [words.unique] : []),
  ].join(" · ");
  return (
    <th
      className={table.columnHead}
      style={placedAt(placed)}
      scope="col"
      aria-colindex={placed.index + 2}
      aria-sort={dir === undefined ? "none" : dir === "asc" ? "ascending" : "descending"}
      data-kind={isNumeric(column) ? "number" : undefined}
    >
      <Tooltip label={demands}>
        <button
          type="button"
          className={table.sorter}
          aria-label={`${words.sortBy} ${column.label} (${demands})`}
          disabled={!mayBeSorted(column)}
          onClick={(event) => head.onSort(nextSort(sort, column.key, event.shiftKey))}
        >
          {isKey && <IconKey size={14} aria-hidden />}
          <bdi>{column.label}</bdi>
          {column.required && <span aria-hidden>*</span>}
          {dir === "asc" && <IconArrowUp size={14} aria-hidden />}
          {dir === "desc" && <IconArrowDown size={14} aria-hidden />}
        </button>
      </Tooltip>
    </th>
  );
}
