import { Checkbox, UnstyledButton } from "@mantine/core";
import table from "../../table/table.module.css";
import { useEndless } from "../../table/use-endless.ts";
import { useWords } from "../../words/use-words.ts";
import { useCellText } from "../model/cell-text.ts";
import { rowName } from "../model/dataset.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import styles from "./grid.module.css";
import type { ListOfRows } from "./grid.tsx";

const CARD_HEIGHT = 92;
const LINES = 2;

/** The rows on a phone: a card each, which opens the whole row. */
export function RowCards(list: ListOfRows) {
  const { dataset, rows, choice } = list;
  const words = useWords(ROW_WORDS);
  const textOf = useCellText();
  const { scroller, virtual, items } = useEndless<HTMLElement>({
    ...list,
    from: "start",
    count: rows.length,
    rowHeight: CARD_HEIGHT,
    headHeight: 0,
  });
  return (
    <section
      ref={scroller}
      className={table.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
      aria-label={words.grid}
      data-old={list.isOld || undefined}
    >
      <ul className={table.cards} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          const style = { transform: `translateY(${item.start}px)` };
          if (row === undefined)
            return <li key={item.key} className={table.card} style={style} aria-hidden />;
          const name = rowName(dataset, row);
          const filled = dataset.columns.filter((column) => textOf(column, row[column.key]) !== "");
          const others = filled.filter(({ key }) => String(row[key]) !== name).slice(0, LINES);
          return (
            <li
              key={row._id}
              className={table.card}
              style={style}
              data-chosen={choice.chosen.has(row._id) || undefined}
            >
              {list.mayWrite && (
                <Checkbox
                  aria-label={`${words.choose}: ${name}`}
                  checked={choice.chosen.has(row._id)}
                  onChange={() => choice.toggle(rows, item.index, false)}
                />
              )}
              <UnstyledButton className={styles.card} onClick={() => list.onOpen(row)}>
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                {others.map((column) => (
                  <span key={column.key} className={table.cardLine}>
                    <bdi>{column.label}</bdi>: <bdi>{textOf(column, row[column.key])}</bdi>
                  </span>
                ))}
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
