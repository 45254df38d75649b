import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { DASHBOARD_WORDS, SENTENCES } from "../data/dashboard-words.ts";
import { useTexts } from "../data/figures.ts";
import { leadsAddress, statusIn, withText } from "../data/leads-of.ts";
import { ranked } from "../data/ranked.ts";
import type { Dashboard } from "../data/use-dashboard.ts";
import { BarTable } from "./bar-table.tsx";
import { Card } from "./card.tsx";
import { short } from "./text-card.tsx";

/** The share of won leads for each of the largest sources, best first. */
export function ConversionCard({ of }: { of: Dashboard }) {
  const words = useWords(DASHBOARD_WORDS);
  const sentences = SENTENCES[useLocale()];
  const { id } = useProject();
  const { number, percent } = useFormat();
  const { won } = of.outcomes;
  const isKnown = won.length > 0;
  const all = useTexts(of, "source");
  const good = useTexts(of, "source", isKnown ? statusIn(won) : undefined, isKnown);
  const count = new Map(good.data?.groups.map(({ key, metrics }) => [plain(key.source), metrics.count]));
  const { top, none } = ranked(all.data ?? { groups: [], total_groups: 0 }, "source", undefined);
  const sources = [...top, ...(none > 0 ? [{ value: null, count: none }] : [])]
    .map((each) => {
      const wins = count.get(plain(each.value)) ?? 0;
      return { ...each, wins, rate: wins / each.count };
    })
    .sort((one, other) => other.rate - one.rate || other.count - one.count);
  const [best] = sources;
  const isEmpty = sources.length === 0;
  return (
    <Card
      title={words.conversionBySource}
      sentence={
        !isKnown
          ? words.sayWon
          : isEmpty
            ? words.nothing
            : best === undefined || best.wins === 0
              ? words.nothingWon
              : sentences.best(short(best.value ?? words.noSource), percent(best.rate))
      }
      asked={isKnown || !of.ready ? [all, good] : []}
    >
      {isKnown && !isEmpty && (
        <BarTable
          head={[words.source, words.won, words.rate]}
          rows={sources.map(({ value, wins, rate }) => ({
            ...{ key: value === null ? "none" : `= ${value}`, name: value ?? words.noSource, size: rate },
            ...{ cells: [number(wins), percent(rate)], quiet: value === null },
            to: leadsAddress(id, of.leadsOf(of.period, withText("source", value), statusIn(won))),
          }))}
        />
      )}
    </Card>
  );
}

/** Two answers may spell a source with different case or accents; this key is the same for both. */
const plain = (value: string | null | undefined): string | null =>
  value == null ? null : value.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
