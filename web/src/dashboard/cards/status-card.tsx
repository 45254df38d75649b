import { useProject } from "../../session/me.ts";
import { statusColor } from "../../statuses/status-color.ts";
import { StatusDot } from "../../statuses/status-dot.tsx";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { DASHBOARD_WORDS, SENTENCES } from "../data/dashboard-words.ts";
import { useStatusFigures } from "../data/figures.ts";
import { leadsAddress, statusIn } from "../data/leads-of.ts";
import { totalOf } from "../data/sums.ts";
import type { Dashboard } from "../data/use-dashboard.ts";
import { BarTable } from "./bar-table.tsx";
import { Card } from "./card.tsx";

/** The current statuses of the period's leads. */
export function StatusCard({ of }: { of: Dashboard }) {
  const words = useWords(DASHBOARD_WORDS);
  const sentences = SENTENCES[useLocale()];
  const { id } = useProject();
  const { number, percent } = useFormat();
  const asked = useStatusFigures(of, "now");
  const groups = asked.data?.groups ?? [];
  const counts = new Map<string, number>(of.statuses.map((status) => [status, 0]));
  for (const { key, metrics } of groups) {
    const status = key.status ?? "";
    counts.set(status, (counts.get(status) ?? 0) + metrics.count);
  }
  const all = totalOf(groups, null).count;
  const among = (statuses: readonly string[]) =>
    statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0);
  const [won, lost] = [among(of.outcomes.won), among(of.outcomes.lost)];
  return (
    <Card
      title={words.funnel}
      sentence={
        all === 0 ? words.nothing : sentences.funnel(number(all - won - lost), number(won), number(lost))
      }
      asked={[asked]}
    >
      {all > 0 && (
        <BarTable
          head={[words.status, words.leads, words.share]}
          rows={[...counts].map(([status, count]) => ({
            ...{ key: status, name: status === "" ? words.noStatus : status, size: count },
            color: `var(--mantine-color-${statusColor(of.statuses, status)}-filled)`,
            before: <StatusDot statuses={of.statuses} status={status} />,
            cells: [number(count), percent(count / all)],
            to: leadsAddress(id, of.leadsOf(of.period, statusIn([status]))),
          }))}
        />
      )}
    </Card>
  );
}
