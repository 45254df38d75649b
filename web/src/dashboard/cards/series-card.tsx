import { ActionIcon, Group, SegmentedControl, Skeleton, Tooltip } from "@mantine/core";
import { lazy, Suspense } from "react";
import { IconChartBar, IconTable } from "../../look/icons.ts";
import type { Groups } from "../../records/groups.ts";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { DASHBOARD_WORDS, SENTENCES } from "../data/dashboard-words.ts";
import { useDayNames } from "../data/day-names.ts";
import { bucketsOf, type Interval } from "../data/days.ts";
import { useSeries } from "../data/figures.ts";
import { leadsAddress } from "../data/leads-of.ts";
import { intervalsOf } from "../data/period.ts";
import type { Dashboard } from "../data/use-dashboard.ts";
import { Card } from "./card.tsx";
import styles from "./cards.module.css";
import { type SeriesRow, SeriesTable } from "./series-table.tsx";

const SeriesChart = lazy(() => import("./series-chart.tsx"));

/** New leads by day, week or month, compared with the previous period. */
export function SeriesCard(card: {
  of: Dashboard;
  asTable: boolean;
  onTable(asTable: boolean): void;
  onInterval(interval: Interval): void;
}) {
  const { of } = card;
  const words = useWords(DASHBOARD_WORDS);
  const sentences = SENTENCES[useLocale()];
  const { id } = useProject();
  const { number, change: inPercent } = useFormat();
  const names = useDayNames();
  const now = useSeries(of, "now");
  const before = useSeries(of, "before");
  const earlier = bucketsOf(of.period.before, of.interval).map(({ bucket }) => countIn(before.data, bucket));
  const rows = bucketsOf(of.period, of.interval).map(
    ({ bucket, ...days }, i): SeriesRow => ({
      name: names.bucket(days.from, of.interval, of.period),
      now: countIn(now.data, bucket),
      before: earlier[i] ?? null,
      to: leadsAddress(id, of.leadsOf(days)),
    }),
  );
  const total = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0);
  const [is, was] = [total(rows.map((row) => row.now)), total(earlier)];
  const change =
    was === 0
      ? sentences.noneBefore
      : is === was
        ? sentences.same(number(was))
        : sentences.change(inPercent(is / was - 1), is > was, number(was));
  const peak = rows.reduce<SeriesRow | undefined>(
    (most, row) => (most && most.now >= row.now ? most : row),
    undefined,
  );
  const told = [
    sentences.series(number(is), change),
    ...(peak !== undefined && rows.length > 1 && peak.now > 0
      ? [sentences.peak(peak.name, number(peak.now))]
      : []),
  ].join(" ");
  const intervals = intervalsOf(of.period);
  const labels = { day: words.byDay, week: words.byWeek, month: words.byMonth };
  const heads = { day: words.day, week: words.week, month: words.month };
  return (
    <Card
      title={words.newLeads}
      sentence={told}
      wide="two"
      asked={[now, before]}
      actions={
        <Group gap="xs" wrap="nowrap">
          {intervals.length > 1 && (
            <SegmentedControl
              size="xs"
              aria-label={words.interval}
              value={of.interval}
              data={(["day", "week", "month"] as const)
                .filter((each) => intervals.includes(each))
                .map((value) => ({ value, label: labels[value] }))}
              onChange={card.onInterval}
            />
          )}
          <Tooltip label={card.asTable ? words.asChart : words.asTable}>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={`${words.newLeads}: ${card.asTable ? words.asChart : words.asTable}`}
              onClick={() => card.onTable(!card.asTable)}
            >
              {card.asTable ? <IconChartBar size={16} /> : <IconTable size={16} />}
            </ActionIcon>
          </Tooltip>
        </Group>
      }
    >
      {card.asTable ? (
        <SeriesTable rows={rows} head={heads[of.interval]} />
      ) : (
        <Suspense fallback={<Skeleton className={styles.chart ?? ""} radius="md" />}>
          <SeriesChart rows={rows} told={told} />
        </Suspense>
      )}
    </Card>
  );
}

const countIn = (data: Groups | undefined, bucket: string): number =>
  data?.groups.find(({ key }) => key.created_at === bucket)?.metrics.count ?? 0;
