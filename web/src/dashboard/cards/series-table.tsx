import { Link } from "react-router";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { DASHBOARD_WORDS } from "../data/dashboard-words.ts";
import styles from "./cards.module.css";

/** One bar: its leads, those of the same place in the period before, and where its leads are. */
export interface SeriesRow {
  name: string;
  now: number;
  before: number | null;
  to: string | undefined;
}

/** The chart of new leads as a table, which says and leads to the same. */
export function SeriesTable({ rows, head }: { rows: readonly SeriesRow[]; head: string }) {
  const words = useWords(DASHBOARD_WORDS);
  const { number } = useFormat();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={words.newLeads}>
      <table className={styles.bars}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">{words.leads}</th>
            <th scope="col">{words.beforeHead}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">
                <Link to={row.to ?? ""} className={styles.rowLink ?? ""}>
                  {row.name}
                </Link>
              </th>
              <td>{number(row.now)}</td>
              <td>{row.before === null ? "–" : number(row.before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
