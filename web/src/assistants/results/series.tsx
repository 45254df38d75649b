import { useState } from "react";
import type { Interval } from "../../../../src/contract/lists/time.ts";
import { Bars } from "../../table/bars.tsx";
import { useLocale, useWords } from "../../words/use-words.ts";
import { useView } from "../host/view-context.ts";
import styles from "../parts/parts.module.css";
import { Warning } from "../parts/warning.tsx";
import { bucketName, bucketsBetween } from "./buckets.ts";
import { Choice } from "./choice.tsx";
import { Columns } from "./columns.tsx";
import { figureName, type Group, NO_VALUE, written } from "./figures.ts";
import { RESULT_WORDS } from "./result-words.ts";
import own from "./results.module.css";

/** Figures whose value is 0 in a bucket without leads; others have none. */
const ZERO = /^(count|sum_|share$)/;

/** A figure by day, week, month, quarter or year: as columns, or as a table. */
export function Series(series: {
  groups: readonly Group[];
  figure: string;
  interval: Interval;
  /** What the table calls the first column. */
  head: string;
}) {
  const { groups, figure, interval } = series;
  const locale = useLocale();
  const words = useWords(RESULT_WORDS);
  const { format, tag } = useView();
  const [asTable, setAsTable] = useState(false);
  const known = new Map(groups.map(({ key, figures }) => [String(Object.values(key)[0]), figures[figure]]));
  const dated = [...known.keys()].filter((bucket) => /^\d{4}-\d\d-\d\d$/.test(bucket)).sort();
  const [first, last] = [dated[0] ?? "", dated.at(-1) ?? ""];
  const all = bucketsBetween(first, last, interval);
  const buckets = all.length > 0 && dated.every((bucket) => all.includes(bucket)) ? all : dated;
  const bars = buckets.map((bucket) => {
    const value = known.get(bucket) ?? (ZERO.test(figure) ? 0 : null);
    return {
      key: bucket,
      name: bucketName(locale, tag, bucket, interval),
      size: typeof value === "number" ? Math.max(value, 0) : 0,
      text: written(format, figure, value),
    };
  });
  const name = figureName(locale, figure);
  const undated = known.get(NO_VALUE);
  const highest = bars.reduce(
    (most, bar) => (bar.size > most.size ? bar : most),
    bars[0] ?? { name, size: 0, text: "–" },
  );
  return (
    <>
      {asTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
        <section className={`${styles.scroll} ${own.tall}`} tabIndex={0} aria-label={name}>
          <Bars head={[series.head, name]} rows={bars.map((bar) => ({ ...bar, cells: [bar.text] }))} />
        </section>
      ) : (
        <Columns columns={bars} told={words.told(name, highest.name, highest.text)} />
      )}
      {undated !== undefined && <Warning text={`${words.noValue}: ${written(format, figure, undated)}`} />}
      <div className={own.foot}>
        <Choice
          name={name}
          options={[
            { value: "", label: words.asChart },
            { value: "table", label: words.asTable },
          ]}
          chosen={asTable ? "table" : ""}
          onChoose={(value) => setAsTable(value === "table")}
        />
      </div>
    </>
  );
}
