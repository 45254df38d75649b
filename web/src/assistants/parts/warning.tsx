import styles from "./parts.module.css";

/** Something to know about an answer. */
export const Warning = ({ text }: { text: string }) => (
  <p className={styles.warning}>
    <bdi>{text}</bdi>
  </p>
);
