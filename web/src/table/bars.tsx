import type { ComponentType, ReactNode } from "react";
import styles from "./bars.module.css";

export interface BarRow {
  key: string;
  /** The text of the row; `before` is shown in front of it, such as a color. */
  name: string;
  before?: ReactNode;
  /** The color of its bar, if it has its own. */
  color?: string;
  /** The length of its bar relative to the other rows. */
  size: number;
  cells: readonly string[];
  /** The link to what it counts. */
  to?: string | undefined;
  /** Whether the row has no name of its own, such as "Others". */
  quiet?: boolean;
}

export interface BarsOf {
  head: readonly [string, ...string[]];
  rows: readonly BarRow[];
  /** What links the names of rows; without it, they are text. */
  link?: ComponentType<{ to: string; className: string; children: ReactNode }>;
}

/** A table drawn as bars: each row shows its name and figures, and may link to what it counts. */
export function Bars({ head, rows, link: Linked }: BarsOf) {
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
                {row.to === undefined || Linked === undefined ? (
                  <bdi>{row.name}</bdi>
                ) : (
                  <Linked to={row.to} className={styles.rowLink ?? ""}>
                    <bdi>{row.name}</bdi>
                  </Linked>
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
              // biome-ignore lint/suspicious/noArrayIndexKey: the column identifies the cell
              <td key={i}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
