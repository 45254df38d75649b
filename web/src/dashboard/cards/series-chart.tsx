import "@mantine/charts/styles.css";
import { CompositeChart } from "@mantine/charts";
import { useNavigate } from "react-router";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { DASHBOARD_WORDS } from "../data/dashboard-words.ts";
import styles from "./cards.module.css";
import type { SeriesRow } from "./series-table.tsx";

const STILL = { isAnimationActive: false };

/** New leads as bars, the previous period as a line. A click on a bar opens its leads. */
export default function SeriesChart({ rows, told }: { rows: readonly SeriesRow[]; told: string }) {
  const words = useWords(DASHBOARD_WORDS);
  const { number } = useFormat();
  const go = useNavigate();
  const open = (name: string | number | undefined) => {
    const to = rows.find((row) => row.name === name)?.to;
    if (to !== undefined) void go(to);
  };
  return (
    <>
      <div role="img" aria-label={told}>
        <CompositeChart
          className={styles.chart ?? ""}
          data={rows.map(({ name, now, before }) => ({ name, now, before }))}
          dataKey="name"
          series={[
            { name: "now", label: words.newLeads, color: "var(--fill)", type: "bar" },
            {
              ...{ name: "before", label: words.periodBefore, color: "var(--before)", type: "line" },
              strokeDasharray: "4 4",
            },
          ]}
          curveType="linear"
          strokeWidth={1.5}
          withDots={rows.length === 1}
          maxBarWidth={36}
          gridAxis="x"
          tickLine="none"
          strokeDasharray="0"
          gridColor="var(--line)"
          textColor="var(--quiet)"
          valueFormatter={number}
          accessibilityLayer={false}
          yAxisProps={{ allowDecimals: false, width: 44 }}
          xAxisProps={{ minTickGap: 28 }}
          barProps={{
            ...STILL,
            radius: [3, 3, 0, 0],
            // on touch screens, the tap arrives before the chart knows the index under the pointer
            onClick: ({ payload }, _, event) => {
              event.stopPropagation();
              open((payload as SeriesRow | undefined)?.name);
            },
          }}
          lineProps={{ ...STILL }}
          composedChartProps={{
            onClick: ({ activeLabel }) => open(activeLabel),
            margin: { left: 0, right: 4 },
          }}
        />
      </div>
      <ul className={styles.legend} aria-hidden>
        <li data-of="now">{words.newLeads}</li>
        <li data-of="before">{words.periodBefore}</li>
      </ul>
    </>
  );
}
