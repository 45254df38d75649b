import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { DASHBOARD_WORDS, SENTENCES } from "../data/dashboard-words.ts";
import { useStatusFigures, useTexts } from "../data/figures.ts";
import { leadsAddress, withOther, withText } from "../data/leads-of.ts";
import { ranked } from "../data/ranked.ts";
import { totalOf } from "../data/sums.ts";
import type { Dashboard } from "../data/use-dashboard.ts";
import { type BarRow, BarTable } from "./bar-table.tsx";
import { Card } from "./card.tsx";

/** The period's leads by source or by campaign. */
export function TextCard({ of, field }: { of: Dashboard; field: "source" | "campaign" }) {
  const words = useWords(DASHBOARD_WORDS);
  const sentences = SENTENCES[useLocale()];
  const { id } = useProject();
  const { number, percent } = useFormat();
  const asked = useTexts(of, field);
  const statuses = useStatusFigures(of, "now");
  const all = statuses.data && totalOf(statuses.data.groups, null).count;
  const { top, others, none } = ranked(asked.data ?? { groups: [], total_groups: 0 }, field, all);
  const total = top.reduce((sum, { count }) => sum + count, others + none);
  const row = (key: string, name: string, count: number, filter: ReturnType<typeof withText>): BarRow => ({
    ...{ key, name, size: count, cells: [number(count), percent(total === 0 ? 0 : count / total)] },
    to: leadsAddress(id, of.leadsOf(of.period, filter)),
  });
  const values = top.map(({ value }) => value);
  const rows = top.map(({ value, count }) => row(`= ${value}`, value, count, withText(field, value)));
  if (others > 0)
    rows.push({ ...row("others", words.others, others, withOther(field, values)), quiet: true });
  if (none > 0) {
    const name = field === "source" ? words.noSource : words.noCampaign;
    rows.push({ ...row("none", name, none, withText(field, null)), quiet: true });
  }
  const [first] = top;
  return (
    <Card
      title={field === "source" ? words.bySource : words.byCampaign}
      sentence={
        total === 0
          ? words.nothing
          : first === undefined
            ? undefined
            : sentences.top(short(first.value), number(first.count))
      }
      asked={[asked]}
    >
      {total > 0 && <BarTable head={[words[field], words.leads, words.share]} rows={rows} />}
    </Card>
  );
}

/** A value in a sentence, cut if it is long. */
export const short = (value: string): string => (value.length > 60 ? `${value.slice(0, 60)}…` : value);
