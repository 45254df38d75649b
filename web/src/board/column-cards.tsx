import { Button, Skeleton } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { Problem } from "../parts/problem.tsx";
import { useWords } from "../words/use-words.ts";
import styles from "./board.module.css";
import type { BoardLead, BoardQuery } from "./board-cards.ts";
import { BOARD_WORDS } from "./board-words.ts";
import { LeadCard } from "./lead-card.tsx";
import { useColumn } from "./use-board.ts";

const HEIGHT = 96;
const GAP = 8;
/** How many cards before the end the next page is requested. */
const AHEAD = 15;

/** The cards of a column. Only visible cards are rendered, and the next page loads before the person reaches it. */
export function ColumnCards(column: {
  query: BoardQuery;
  status: string;
  statuses: readonly string[];
  owners: ReadonlyMap<string, string>;
  mayMove: boolean;
  total: number | undefined;
  label: string;
  onMove(card: BoardLead, to: string): void;
}) {
  const { query, status, statuses, owners, mayMove, onMove } = column;
  const words = useWords(BOARD_WORDS);
  const pages = useColumn(query, status, true);
  const cards = pages.data?.pages.flatMap(({ leads }) => leads) ?? [];
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller.current,
    getItemKey: (i) => cards[i]?.id ?? i,
    estimateSize: () => HEIGHT,
    gap: GAP,
    overscan: 6,
  });
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = pages;
  const wanted = last >= cards.length - AHEAD && cards.length > 0;
  useEffect(() => {
    if (wanted && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [wanted, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  if (pages.isPending) return <Waiting />;
  if (pages.error !== null && cards.length === 0)
    return <Problem error={pages.error} again={() => void pages.refetch()} />;
  if (cards.length === 0) return <p className={styles.none}>{words.none}</p>;
  return (
    <div className={styles.cards} ref={scroller}>
      <ul aria-label={column.label} style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const card = cards[index];
          return (
            card !== undefined && (
              <li
                key={key}
                data-index={index}
                ref={rows.measureElement}
                style={{ transform: `translateY(${start}px)` }}
                aria-posinset={index + 1}
                aria-setsize={column.total ?? -1}
              >
                <LeadCard
                  card={card}
                  owner={card.owner_id === null ? undefined : owners.get(card.owner_id)}
                  statuses={statuses}
                  mayMove={mayMove}
                  onMove={onMove}
                />
              </li>
            )
          );
        })}
      </ul>
      {isFetchNextPageError && (
        <Button variant="default" size="xs" fullWidth mt="xs" onClick={() => void fetchNextPage()}>
          {words.loadMore}
        </Button>
      )}
    </div>
  );
}

const Waiting = () => (
  <div className={styles.waiting}>
    {[0, 1, 2].map((line) => (
      <Skeleton key={line} height={HEIGHT - 12} radius="md" />
    ))}
  </div>
);
