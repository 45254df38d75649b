import { Tabs } from "@mantine/core";
import { type ReactNode, type TouchEvent, useRef } from "react";
import { StatusDot } from "../statuses/status-dot.tsx";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./board.module.css";
import type { ColumnTotals } from "./board-cards.ts";
import { BOARD_WORDS } from "./board-words.ts";

/** A swipe that is at least this long, and more sideways than up or down, shows the next column. */
const SWIPE = 60;

/** One column at a time on a phone, chosen by tabs or swiping. */
export function PhoneBoard(board: {
  statuses: readonly string[];
  shown: string;
  totals: ColumnTotals | undefined;
  onShow(status: string): void;
  children: ReactNode;
}) {
  const { statuses, shown, totals, onShow } = board;
  const words = useWords(BOARD_WORDS);
  const { number } = useFormat();
  const began = useRef<{ x: number; y: number }>(undefined);
  const swiped = ({ changedTouches }: TouchEvent) => {
    const [touch, from] = [changedTouches[0], began.current];
    began.current = undefined;
    if (touch === undefined || from === undefined) return;
    const [dx, dy] = [touch.clientX - from.x, touch.clientY - from.y];
    if (Math.abs(dx) < SWIPE || Math.abs(dx) < 2 * Math.abs(dy)) return;
    const next = statuses[statuses.indexOf(shown) + (dx < 0 ? 1 : -1)];
    if (next !== undefined) onShow(next);
  };
  return (
    <Tabs value={shown} onChange={(status) => status !== null && onShow(status)} keepMounted={false}>
      <Tabs.List aria-label={words.columns} className={styles.tabs ?? ""}>
        {statuses.map((status) => (
          <Tabs.Tab
            key={status}
            value={status}
            leftSection={<StatusDot statuses={statuses} status={status} />}
          >
            <bdi>{status}</bdi>{" "}
            <span className={styles.count}>{number(totals?.get(status)?.count ?? 0)}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel
        value={shown}
        pt="sm"
        onTouchStart={({ touches }) => {
          const touch = touches[0];
          began.current = touch && { x: touch.clientX, y: touch.clientY };
        }}
        onTouchEnd={swiped}
      >
        {board.children}
      </Tabs.Panel>
    </Tabs>
  );
}
