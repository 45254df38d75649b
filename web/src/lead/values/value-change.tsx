import { IconArrowRight } from "../../look/icons.ts";
import { LongText } from "../../parts/long-text.tsx";
import { isEmpty } from "../../records/value.ts";
import { useValueText } from "../../records/value-text.ts";
import { useWords, type Words } from "../../words/use-words.ts";
import styles from "./values.module.css";

const WORDS: Words<{ to: string }> = { en: { to: "became" }, "pt-BR": { to: "passou a ser" } };

/** A value before and after a change. */
export function ValueChange({ field, from, to }: { field: string; from: unknown; to: unknown }) {
  const words = useWords(WORDS);
  const textOf = useValueText();
  return (
    <span className={styles.change}>
      <span className={isEmpty(from) ? styles.none : styles.was}>
        <LongText text={textOf(field, from)} money={field === "value"} />
      </span>
      <IconArrowRight size={14} role="img" aria-label={words.to} className={styles.arrow} />
      <span className={isEmpty(to) ? styles.none : undefined}>
        <LongText text={textOf(field, to)} money={field === "value"} />
      </span>
    </span>
  );
}
