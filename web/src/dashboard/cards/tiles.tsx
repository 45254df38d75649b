import { Problem } from "../../parts/problem.tsx";
import type { Groups } from "../../records/groups.ts";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { DASHBOARD_WORDS } from "../data/dashboard-words.ts";
import { useDayNames } from "../data/day-names.ts";
import { useBecameWon, useResponses, useStatusFigures } from "../data/figures.ts";
import { answered, leadsAddress, statusIn, statusNotIn } from "../data/leads-of.ts";
import { mainOf, totalOf } from "../data/sums.ts";
import type { Dashboard } from "../data/use-dashboard.ts";
import styles from "./cards.module.css";
import { BANDS } from "./response-card.tsx";
import { Tile } from "./tile.tsx";
import { Trend } from "./trend.tsx";

/** The main numbers, each compared with the previous period. */
export function Tiles({ of }: { of: Dashboard }) {
  const words = useWords(DASHBOARD_WORDS);
  const locale = useLocale();
  const { id, currency } = useProject();
  const { number, percent, sum } = useFormat();
  const { duration } = useDayNames();
  const now = useStatusFigures(of, "now");
  const before = useStatusFigures(of, "before");
  const waits = useResponses(of, "now", BANDS);
  const waited = useResponses(of, "before", []);
  const failed = [now, before, waits, waited].find(({ error }) => error !== null);
  if (failed !== undefined) return <Problem error={failed.error} again={() => void failed.refetch()} />;

  const { won, lost } = of.outcomes;
  const figures = (data: Groups | undefined) => {
    if (data === undefined) return undefined;
    const all = totalOf(data.groups, currency).count;
    const good = totalOf(data.groups, currency, ({ status }) => won.includes(status ?? "")).count;
    const open = totalOf(data.groups, currency, ({ status }) => ![...won, ...lost].includes(status ?? ""));
    return { all, won: good, open, rate: all === 0 ? null : good / all };
  };
  const [is, was] = [figures(now.data), figures(before.data)];
  const ready = of.ready && is !== undefined;
  const main = mainOf(is?.open.sums ?? new Map(), currency);
  const others = [...(is?.open.sums ?? [])].filter(([each]) => each !== main);
  const amount = (sums: ReadonlyMap<string, number> | undefined) => sums?.get(main) ?? 0;
  const median = waits.data === undefined ? undefined : (waits.data.groups[0]?.median_seconds ?? null);
  const medianBefore =
    waited.data === undefined ? undefined : (waited.data.groups[0]?.median_seconds ?? null);
  const to = (...more: Parameters<Dashboard["leadsOf"]>[1][]) =>
    leadsAddress(id, of.leadsOf(of.period, ...more));
  const isOld = now.isPlaceholderData || before.isPlaceholderData;
  const rate = (value: number | null | undefined) => (value == null ? "–" : percent(value));
  const isKnown = won.length > 0;

  return (
    <div className={styles.tiles}>
      <Tile name={words.newLeads} note={words.newNote} value={is && number(is.all)} to={to()} isOld={isOld}>
        <Trend now={is?.all ?? null} before={was?.all} written={number(was?.all ?? 0)} />
      </Tile>
      <Tile
        name={words.won}
        note={isKnown ? words.wonNote : words.sayWon}
        value={ready ? (isKnown ? number(is.won) : "–") : undefined}
        to={isKnown ? to(statusIn(won)) : undefined}
        isOld={isOld}
      >
        {isKnown && <Trend now={is?.won ?? null} before={was?.won} written={number(was?.won ?? 0)} />}
      </Tile>
      <BecameWon of={of} />
      <Tile
        name={words.conversion}
        note={words.conversionNote}
        value={ready ? (isKnown ? rate(is.rate) : "–") : undefined}
        to={isKnown ? to(statusIn(won)) : undefined}
        isOld={isOld}
      >
        {isKnown && <Trend now={is?.rate ?? null} before={was?.rate} written={rate(was?.rate)} isRate />}
      </Tile>
      <Tile
        name={words.response}
        note={words.responseNote}
        value={median === undefined ? undefined : median === null ? "–" : duration(median)}
        to={median == null ? undefined : to(answered())}
        isOld={waits.isPlaceholderData || waited.isPlaceholderData}
      >
        <Trend
          now={median ?? null}
          before={medianBefore}
          written={medianBefore == null ? "–" : duration(medianBefore)}
          lessIsGood
        />
      </Tile>
      <Tile
        name={words.openValue}
        note={
          others.length === 0
            ? words.openNote
            : `${words.alsoIn} ${new Intl.ListFormat(locale).format(others.map(([each, value]) => sum(value, each)))}`
        }
        value={ready ? sum(amount(is.open.sums), main) : undefined}
        to={to(statusNotIn([...won, ...lost]))}
        isOld={isOld}
      >
        <Trend
          now={amount(is?.open.sums)}
          before={was && amount(was.open.sums)}
          written={sum(amount(was?.open.sums), main)}
        />
      </Tile>
    </div>
  );
}

/** Beside the leads that were created in the period and are won now: those that became won in it. */
function BecameWon({ of }: { of: Dashboard }) {
  const words = useWords(DASHBOARD_WORDS);
  const { id } = useProject();
  const { number } = useFormat();
  const [now, before] = [useBecameWon(of, "now"), useBecameWon(of, "before")];
  const failed = now.error !== null;
  const was = before.data?.count;
  return (
    <Tile
      name={words.becameWon}
      note={failed ? words.becameFailed : words.becameNote}
      value={failed ? "–" : now.data && number(now.data.count)}
      to={failed ? undefined : leadsAddress(id, of.wonIn(of.period))}
      isOld={now.isPlaceholderData || before.isPlaceholderData}
    >
      {!failed && <Trend now={now.data?.count ?? null} before={was} written={number(was ?? 0)} />}
    </Tile>
  );
}
