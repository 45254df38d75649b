import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { DASHBOARD_WORDS, SENTENCES } from "../data/dashboard-words.ts";
import { useDayNames } from "../data/day-names.ts";
import { useResponses } from "../data/figures.ts";
import { answered, leadsAddress } from "../data/leads-of.ts";
import type { Dashboard } from "../data/use-dashboard.ts";
import { type BarRow, BarTable } from "./bar-table.tsx";
import { Card } from "./card.tsx";

/** The upper limits of the response time ranges, in seconds. */
export const BANDS: readonly number[] = [300, 3_600, 14_400, 86_400, 259_200];

/** How quickly leads were answered, and how many were not. */
export function ResponseCard({ of }: { of: Dashboard }) {
  const words = useWords(DASHBOARD_WORDS);
  const sentences = SENTENCES[useLocale()];
  const { id } = useProject();
  const { number, percent } = useFormat();
  const { duration } = useDayNames();
  const asked = useResponses(of, "now", BANDS);
  const group = asked.data?.groups[0];
  const all = group?.leads ?? 0;
  const row = (
    key: string,
    name: string,
    count: number,
    ...filters: Parameters<Dashboard["leadsOf"]>[1][]
  ): BarRow => ({
    ...{ key, name, size: count, cells: [number(count), percent(all === 0 ? 0 : count / all)] },
    to: leadsAddress(id, of.leadsOf(of.period, ...filters)),
  });
  const within = group?.within ?? [];
  const rows = within.map(({ seconds, leads }, i) => {
    const sooner = within[i - 1];
    if (sooner === undefined) {
      const first = `${words.upTo} ${duration(seconds)}`;
      return row(first, first, leads, answered(seconds));
    }
    const name = `${duration(sooner.seconds)} – ${duration(seconds)}`;
    return row(name, name, leads - sooner.leads, answered(seconds), answered(sooner.seconds, true));
  });
  const last = within.at(-1);
  const rest = (group?.answered ?? 0) - (last?.leads ?? 0);
  if (last !== undefined && rest > 0)
    rows.push(
      row("later", `${words.over} ${duration(last.seconds)}`, rest, answered(), answered(last.seconds, true)),
    );
  const never = {
    ...row("never", words.never, all - (group?.answered ?? 0), answered(undefined, true)),
    quiet: true,
  };
  return (
    <Card
      title={words.responseTime}
      wide="half"
      sentence={all === 0 ? words.nothing : sentences.answered(number(group?.answered ?? 0), number(all))}
      asked={[asked]}
    >
      {all > 0 && <BarTable head={[words.waited, words.leads, words.share]} rows={[...rows, never]} />}
    </Card>
  );
}
