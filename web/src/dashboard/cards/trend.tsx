import { IconArrowDownRight, IconArrowUpRight } from "../../look/icons.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { DASHBOARD_WORDS } from "../data/dashboard-words.ts";
import styles from "./cards.module.css";

/** How a figure changed since the previous period, and what it was then. */
export function Trend(trend: {
  now: number | null;
  before: number | null | undefined;
  /** The previous figure, formatted. */
  written: string;
  /** A rate changes by percentage points, anything else by percent. */
  isRate?: boolean;
  /** Whether less is better, as with response times. */
  lessIsGood?: boolean;
}) {
  const words = useWords(DASHBOARD_WORDS);
  const { number, change: inPercent } = useFormat();
  const { now, before } = trend;
  if (before === undefined) return <span className={styles.trend}>&nbsp;</span>;
  if (before === null || now === null || (before === 0 && trend.isRate !== true)) {
    return (
      <span className={styles.trend}>
        {before === null || before === 0 ? words.noneBefore : `${trend.written} ${words.before}`}
      </span>
    );
  }
  const change = trend.isRate === true ? now - before : now / before - 1;
  const shown = Math.round(Math.abs(change) * 1_000) / 10;
  const isUp = change > 0;
  const tone = shown === 0 ? undefined : isUp === (trend.lessIsGood === true) ? "bad" : "good";
  const amount = trend.isRate === true ? `${number(shown)} ${words.points}` : inPercent(change);
  return (
    <span className={styles.trend}>
      {shown === 0 ? (
        <span>{words.same}</span>
      ) : (
        <span className={styles.change} data-tone={tone}>
          {isUp ? <IconArrowUpRight size={14} aria-hidden /> : <IconArrowDownRight size={14} aria-hidden />}
          {amount}
          <span className="unseen"> {isUp ? words.more : words.less}</span>
        </span>
      )}{" "}
      <span>
        {trend.written} {words.before}
      </span>
    </span>
  );
}
