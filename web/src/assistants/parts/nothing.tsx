import styles from "./parts.module.css";

/** What to say where there is nothing to show. */
export const Nothing = ({ sentences }: { sentences: readonly string[] }) => (
  <ul className={styles.nothing}>
    {sentences.map((sentence) => (
      <li key={sentence}>
        <bdi>{sentence}</bdi>
      </li>
    ))}
  </ul>
);
