import { ActionIcon, Checkbox, Menu } from "@mantine/core";
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowsHorizontal,
  IconArrowUp,
  IconDots,
  IconEyeOff,
  IconPin,
  IconPinnedOff,
} from "../../look/icons.ts";
import { nextSort, type Sort } from "../../table/sort.ts";
import styles from "../../table/table.module.css";
import { useWords } from "../../words/use-words.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import type { Layout } from "./use-layout.ts";
import { CHOICE_SIZE, type Placed, type Sheet } from "./use-sheet.ts";

interface Head {
  sheet: Sheet;
  layout: Layout;
  onLayout(changed: Partial<Layout>): void;
  sort: readonly Sort[];
  onSort(sort: readonly Sort[]): void;
  chosen: "all" | "some" | "none";
  onChooseAll(): void;
  mayWrite: boolean;
}

/** The column headers: to sort, drag, resize, pin and hide columns. */
export function TableHead(head: Head) {
  const words = useWords(LEAD_LIST_WORDS);
  return (
    <thead className={styles.head}>
      <tr className={styles.headRow} style={{ width: head.sheet.width }} aria-rowindex={1}>
        <td className={styles.choice} style={{ width: CHOICE_SIZE, left: 0, position: "sticky", zIndex: 1 }}>
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
        {head.sheet.columns.map((column) => (
          <ColumnHead key={column.name} column={column} {...head} />
        ))}
      </tr>
    </thead>
  );
}

function ColumnHead({ column, sheet, layout, onLayout, sort, onSort }: Head & { column: Placed }) {
  const words = useWords(LEAD_LIST_WORDS);
  const { name, label, size, left } = column;
  const place = sort.findIndex(({ field }) => field === name);
  const dir = sort[place]?.dir;
  const move = (to: string, after: boolean) =>
    onLayout({ columns: movedTo(layout.columns, name, to, after) });
  const at = sheet.columns.findIndex((each) => each.name === name);
  const near = (by: number) => sheet.columns[at + by]?.name;
  const resize = (by: number) =>
    onLayout({ sizes: { ...layout.sizes, [name]: Math.min(720, Math.max(72, size + by)) } });
  const isPinned = layout.pinned.includes(name);
  const header = sheet.table.getFlatHeaders().find(({ id }) => id === name);
  return (
    <th
      scope="col"
      className={styles.columnHead}
      data-kind={column.kind}
      style={left === undefined ? { width: size } : { width: size, left, position: "sticky", zIndex: 1 }}
      aria-sort={dir === undefined ? "none" : dir === "asc" ? "ascending" : "descending"}
      draggable
      onDragStart={(event) => event.dataTransfer.setData("text/x-leadgate-column", name)}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes("text/x-leadgate-column")) event.preventDefault();
      }}
      onDrop={(event) => {
        const from = event.dataTransfer.getData("text/x-leadgate-column");
        if (from === "" || from === name) return;
        event.preventDefault();
        const after = layout.columns.indexOf(from) < layout.columns.indexOf(name);
        onLayout({ columns: movedTo(layout.columns, from, name, after) });
      }}
    >
      <button
        type="button"
        className={styles.sorter}
        disabled={!column.sortable}
        onClick={(event) => onSort(nextSort(sort, name, event.shiftKey))}
      >
        <bdi>{label}</bdi>
        {dir === "asc" && <IconArrowUp size={14} aria-hidden />}
        {dir === "desc" && <IconArrowDown size={14} aria-hidden />}
        {dir !== undefined && sort.length > 1 && <span className={styles.rank}>{place + 1}</span>}
      </button>
      <Menu position="bottom-end" withinPortal shadow="md">
        <Menu.Target>
          <ActionIcon
            className={styles.headMore}
            variant="subtle"
            color="gray"
            size={24}
            aria-label={`${words.of} ${label}`}
          >
            <IconDots size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {column.sortable && (
            <>
              <Menu.Item
                leftSection={<IconArrowUp size={16} />}
                onClick={() => onSort([{ field: name, dir: "asc" }])}
              >
                {words.sortUp}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconArrowDown size={16} />}
                onClick={() => onSort([{ field: name, dir: "desc" }])}
              >
                {words.sortDown}
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          <Menu.Item
            leftSection={<IconArrowLeft size={16} />}
            disabled={near(-1) === undefined}
            onClick={() => move(near(-1) ?? name, false)}
          >
            {words.left}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowRight size={16} />}
            disabled={near(1) === undefined}
            onClick={() => move(near(1) ?? name, true)}
          >
            {words.right}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowsHorizontal size={16} />}
            closeMenuOnClick={false}
            onClick={() => resize(40)}
          >
            {words.wider}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowsHorizontal size={16} />}
            closeMenuOnClick={false}
            onClick={() => resize(-40)}
          >
            {words.narrower}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={isPinned ? <IconPinnedOff size={16} /> : <IconPin size={16} />}
            onClick={() =>
              onLayout({
                pinned: isPinned ? layout.pinned.filter((each) => each !== name) : [...layout.pinned, name],
              })
            }
          >
            {isPinned ? words.unpin : words.pin}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconEyeOff size={16} />}
            disabled={layout.columns.length === 1}
            onClick={() => onLayout({ columns: layout.columns.filter((each) => each !== name) })}
          >
            {words.hide}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {header !== undefined && (
        <span
          className={styles.resizer}
          aria-hidden
          draggable
          onDragStart={(event) => {
            event.preventDefault();
            event.stopPropagation();
          }}
          onMouseDown={header.getResizeHandler()}
          onTouchStart={header.getResizeHandler()}
        />
      )}
    </th>
  );
}

/** Returns the columns with one moved before or after another. */
function movedTo(columns: readonly string[], name: string, to: string, after: boolean): string[] {
  const rest = columns.filter((each) => each !== name);
  return rest.toSpliced(rest.indexOf(to) + (after ? 1 : 0), 0, name);
}
