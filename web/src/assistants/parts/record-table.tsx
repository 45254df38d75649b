import { useState } from "react";
import { isEmpty } from "../../records/value.ts";
import { useLocale } from "../../words/use-words.ts";
import { asWords, labelOf } from "./labels.ts";
import styles from "./parts.module.css";
import { ShowAll } from "./show-all.tsx";
import { Value } from "./value.tsx";
import { isNumber } from "./value-text.ts";

/** A table as answers have it: the names of the columns once. */
export interface RecordsOf {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
  /** The currency of amounts in rows without a column for it. */
  currency?: unknown;
  /** What a screen reader calls the table. */
  name: string;
  /** Whether columns are fields of leads, which have labels. */
  isOfLeads?: boolean;
}

/** How many rows are shown until the person asks for all. */
const FIRST = 10;

/** Records as a table, which scrolls sideways where it is too wide. Ids are for the assistant; amounts have their currency. */
export function RecordTable({ columns, rows, currency, name, isOfLeads = true }: RecordsOf) {
  const locale = useLocale();
  const [all, setAll] = useState(false);
  const money = columns.indexOf("currency");
  const isHidden = (column: string) =>
    isOfLeads ? column === "id" || (column === "currency" && columns.includes("value")) : column === "_id";
  const shown = columns.flatMap((column, i) => (isHidden(column) ? [] : [{ column, i }]));
  const isRight = (i: number) => rows.some((row) => isNumber(row[i])) && rows.every((row) => fits(row[i]));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={name}>
        <table className={styles.table}>
          <thead>
            <tr>
              {shown.map(({ column, i }) => (
                <th scope="col" key={i} data-right={isRight(i) || undefined}>
                  <bdi>{isOfLeads ? labelOf(locale, column) : asWords(column)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, all ? undefined : FIRST).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows never move
              <tr key={at}>
                {shown.map(({ column, i }, place) => {
                  const Cell = place === 0 ? "th" : "td";
                  return (
                    <Cell key={i} {...(place === 0 && { scope: "row" })} data-right={isRight(i) || undefined}>
                      {isEmpty(row[i]) ? null : (
                        <Value
                          field={isOfLeads ? column : ""}
                          value={row[i]}
                          currency={row[money] ?? currency}
                        />
                      )}
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <ShowAll count={rows.length} first={FIRST} isAll={all} onChange={setAll} />
    </>
  );
}

const fits = (value: unknown): boolean => isNumber(value) || isEmpty(value);
