import { useWords } from "../../words/use-words.ts";
import type { Fields } from "../host/answer.ts";
import { useView } from "../host/view-context.ts";
import styles from "./change.module.css";
import { OUTCOMES, PLANNED } from "./change-words.ts";

/** How many records had each outcome, or would have it; those with none are left out. */
export function Counts({ of, isPlanned = false }: { of: Fields; isPlanned?: boolean }) {
  const words = useWords(isPlanned ? PLANNED : OUTCOMES);
  const { number } = useView().format;
  const counts = Object.keys(words).flatMap((name) => {
    const count = of[name];
    return typeof count === "number" && count > 0 ? [{ name, count }] : [];
  });
  return (
    <dl className={styles.counts}>
      {counts.map(({ name, count }) => (
        <div key={name} data-outcome={name}>
          <dt>{words[name]}</dt>
          <dd>{number(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
