import { ActionIcon, Tooltip } from "@mantine/core";
import { useId, useRef } from "react";
import { IconChevronsLeft, IconChevronsRight } from "../look/icons.ts";
import { StatusDot } from "../statuses/status-dot.tsx";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./board.module.css";
import type { BoardLead, BoardQuery, ColumnTotal } from "./board-cards.ts";
import { BOARD_WORDS } from "./board-words.ts";
import { ColumnCards } from "./column-cards.tsx";
import { useCardDrop } from "./use-drag.ts";
import { useNear } from "./use-near.ts";

/** One status: its leads, their number and their value. A collapsed column still accepts cards. */
export function BoardColumn(column: {
  query: BoardQuery;
  status: string;
  statuses: readonly string[];
  owners: ReadonlyMap<string, string>;
  total: ColumnTotal | undefined;
  folded: boolean;
  mayMove: boolean;
  onFold?: (folded: boolean) => void;
  onMove(card: BoardLead, to: string): void;
}) {
  const { status, statuses, total, folded, onFold, onMove } = column;
  const words = useWords(BOARD_WORDS);
  const format = useFormat();
  const ref = useRef<HTMLElement>(null);
  const heading = useId();
  const near = useNear(ref);
  const over = useCardDrop(ref, status, (card) => onMove(card, status));
  const count = total === undefined ? "…" : format.number(total.count);
  const fold = (
    <Tooltip label={folded ? words.expand : words.collapse}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        aria-label={`${folded ? words.expand : words.collapse}: ${status}`}
        aria-expanded={!folded}
        onClick={() => onFold?.(!folded)}
      >
        {folded ? <IconChevronsRight size={16} /> : <IconChevronsLeft size={16} />}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <section
      ref={ref}
      className={styles.column}
      aria-labelledby={heading}
      data-status={status}
      data-folded={folded || undefined}
      data-over={over || undefined}
    >
      <header className={styles.head}>
        <StatusDot statuses={statuses} status={status} />
        <h2 id={heading} className={styles.status}>
          <bdi>{status}</bdi>
        </h2>
        <span className={styles.count}>{count}</span>
        {onFold !== undefined && fold}
      </header>
      {!folded && (
        <>
          <Sums total={total} />
          {near && <ColumnCards {...column} total={total?.count} label={status} />}
        </>
      )}
    </section>
  );
}

/** The value of a column by currency: amounts in different currencies are not added up. */
function Sums({ total }: { total: ColumnTotal | undefined }) {
  const words = useWords(BOARD_WORDS);
  const { sum } = useFormat();
  const sums = [...(total?.sums ?? [])].filter(([, value]) => value !== 0);
  return (
    <p className={styles.sum} title={words.sum}>
      {sums.length === 0 ? "\u00a0" : sums.map(([currency, value]) => sum(value, currency)).join(" + ")}
    </p>
  );
}
