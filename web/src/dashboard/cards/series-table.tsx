import { Link } from "react-router";
import bars from "../../table/bars.module.css";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { DASHBOARD_WORDS } from "../data/dashboard-words.ts";
import styles from "./cards.module.css";

/** One bar: its leads, those at the same position in the previous period, and the link to its leads. */
export interface SeriesRow {
  name: string;
  now: number;
  before: number | null;
  to: string | undefined;
}

/** The chart of new leads as a table with the same figures and links. */
export function SeriesTable({ rows, head }: { rows: readonly SeriesRow[]; head: string }) {
  const words = useWords(DASHBOARD_WORDS);
  const { number } = useFormat();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={words.newLeads}>
      <table className={bars.bars}>
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
                <Link to={row.to ?? ""} className={bars.rowLink ?? ""}>
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
