import { useState } from "react";
import { type BarRow, Bars } from "../../table/bars.tsx";
import { useLocale, useWords } from "../../words/use-words.ts";
import type { Fields } from "../host/answer.ts";
import { useView } from "../host/view-context.ts";
import { labelOf } from "../parts/labels.ts";
import styles from "../parts/parts.module.css";
import { ShowAll } from "../parts/show-all.tsx";
import { useValueText } from "../parts/value-text.ts";
import { bucketName, intervalOf } from "./buckets.ts";
import { changed, figureName, type Group, NO_OWNER, NO_VALUE, written } from "./figures.ts";
import { RESULT_WORDS } from "./result-words.ts";
import own from "./results.module.css";

/** How many groups are shown until the person asks for all. */
const FIRST = 12;

/** Groups with their figures as bars of the chosen figure, which comes first. */
export function GroupBars(bars: {
  groups: readonly Group[];
  figure: string;
  figures: readonly string[];
  /** The fields of the groups, as the call names them. */
  fields: readonly string[];
}) {
  const { groups, figure, fields } = bars;
  const locale = useLocale();
  const { format, tag } = useView();
  const textOf = useValueText();
  const words = useWords(RESULT_WORDS);
  const [all, setAll] = useState(false);
  const intervals = new Map(fields.map((field) => [field.split(":")[0], intervalOf(field)]));
  const nameOf = (key: Fields) =>
    Object.entries(key)
      .filter(([field]) => field !== "owner_id" || key.owner === undefined)
      .map(([field, value]) => {
        if (value === NO_VALUE) return words.noValue;
        if (value === NO_OWNER) return words.noOwner;
        const interval = intervals.get(field);
        return interval === undefined
          ? textOf(field, value)
          : bucketName(locale, tag, String(value), interval);
      })
      .join(" · ");
  const isCompared = groups.some(({ figures }) => figures[`${figure}_before`] !== undefined);
  const others = isCompared ? [] : bars.figures.filter((name) => name !== figure);
  const rows = groups.map(({ key, figures }): BarRow => {
    const size = figures[figure];
    return {
      key: JSON.stringify(key),
      name: nameOf(key),
      size: typeof size === "number" ? Math.max(size, 0) : 0,
      cells: [
        written(format, figure, size),
        ...(isCompared
          ? [
              written(format, figure, figures[`${figure}_before`]),
              changed(locale, format, figure, figures) ?? "–",
            ]
          : []),
        ...others.map((name) => written(format, name, figures[name])),
      ],
      quiet: Object.values(key).every((value) => value === NO_VALUE || value === NO_OWNER),
    };
  });
  const firsts = Object.keys(groups[0]?.key ?? {}).filter((field) => field !== "owner_id");
  const head = [...new Set(firsts.map((field) => labelOf(locale, field)))].join(" · ");
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard */}
      <section className={`${styles.scroll} ${own.bars}`} tabIndex={0} aria-label={head}>
        <Bars
          head={[
            head,
            figureName(locale, figure),
            ...(isCompared ? [words.beforeHead, words.change] : []),
            ...others.map((name) => figureName(locale, name)),
          ]}
          rows={all ? rows : rows.slice(0, FIRST)}
        />
      </section>
      <ShowAll count={rows.length} first={FIRST} isAll={all} onChange={setAll} />
    </>
  );
}
