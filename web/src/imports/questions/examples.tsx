import styles from "./questions.module.css";

/** Cells of the file, as a choice reads them. */
export const Examples = ({ of }: { of: readonly string[] }) =>
  of.length === 0 ? null : (
    <span className={styles.examples}>
      {[...new Set(of)].map((example) => (
        <bdi key={example} className={styles.example} title={example}>
          {example}
        </bdi>
      ))}
    </span>
  );
