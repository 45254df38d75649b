import type { ReactNode } from "react";
import { Link } from "react-router";
import styles from "./cards.module.css";

export interface BarRow {
  key: string;
  /** What the row is of, as text; `before` stands in front of it, such as a colour. */
  name: string;
  before?: ReactNode;
  /** The colour of its bar, where it has one of its own. */
  color?: string;
  /** How long its bar is, beside those of the other rows. */
  size: number;
  cells: readonly string[];
  /** The leads that it counts. */
  to: string | undefined;
  /** A row for what has no name of its own, such as the others. */
  quiet?: boolean;
}

/** Bars that are a table: each row tells its name and figures, and leads to its leads. */
export function BarTable({ head, rows }: { head: readonly [string, ...string[]]; rows: readonly BarRow[] }) {
  const longest = Math.max(...rows.map(({ size }) => size), 0);
  const [first, ...others] = head;
  return (
    <table className={styles.bars}>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {others.map((each) => (
            <th scope="col" key={each}>
              {each}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key} data-quiet={row.quiet || undefined}>
            <th scope="row">
              <span className={styles.barName}>
                {row.before}
                {row.to === undefined ? (
                  <bdi>{row.name}</bdi>
                ) : (
                  <Link to={row.to} className={styles.rowLink ?? ""}>
                    <bdi>{row.name}</bdi>
                  </Link>
                )}
              </span>
              <span className={styles.track} aria-hidden>
                <span
                  style={{
                    width: `${longest === 0 ? 0 : (100 * row.size) / longest}%`,
                    ...(row.color !== undefined && { background: row.color }),
                  }}
                />
              </span>
            </th>
            {row.cells.map((cell, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells are told apart by their column
              <td key={i}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
