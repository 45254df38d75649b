import styles from "./results.module.css";

interface Column {
  key: string;
  name: string;
  size: number;
  text: string;
}

/** How many columns have room for their values above them, and for names below: half as many names on a phone. */
const MOST_VALUES = 12;
const MOST_NAMES = 6;

/** A column chart; `told` says it as a sentence. Pointing at a column shows its name and value. */
export function Columns({ columns, told }: { columns: readonly Column[]; told: string }) {
  const highest = Math.max(...columns.map(({ size }) => size), 0);
  const every = Math.ceil(columns.length / MOST_NAMES);
  return (
    <div
      className={styles.chart}
      data-many={columns.length > MOST_NAMES || undefined}
      role="img"
      aria-label={told}
    >
      {columns.map(({ key, name, size, text }, i) => (
        <div key={key} className={styles.column} title={`${name}: ${text}`}>
          <span className={styles.plot}>
            <span className={styles.bar} style={{ height: `${highest === 0 ? 0 : (100 * size) / highest}%` }}>
              {columns.length <= MOST_VALUES && <span className={styles.value}>{text}</span>}
            </span>
          </span>
          <span className={styles.under}>
            {i % every === 0 && <span data-second={i % (2 * every) !== 0 || undefined}>{name}</span>}
          </span>
        </div>
      ))}
    </div>
  );
}
