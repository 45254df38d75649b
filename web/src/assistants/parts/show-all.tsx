import { useWords, type Words } from "../../words/use-words.ts";
import { useView } from "../host/view-context.ts";
import styles from "./parts.module.css";

const WORDS: Words<{ all(count: string): string; less: string }> = {
  en: { all: (count) => `Show all ${count}`, less: "Show less" },
  "pt-BR": { all: (count) => `Mostrar todos: ${count}`, less: "Mostrar menos" },
};

/** A button below a long list, of which only the `first` ones are shown until the person asks for all. */
export function ShowAll(list: {
  count: number;
  first: number;
  isAll: boolean;
  onChange(isAll: boolean): void;
}) {
  const words = useWords(WORDS);
  const { number } = useView().format;
  const { count, isAll } = list;
  if (count <= list.first) return null;
  return (
    <button
      type="button"
      className={styles.quietButton}
      aria-expanded={isAll}
      onClick={() => list.onChange(!isAll)}
    >
      {isAll ? words.less : words.all(number(count))}
    </button>
  );
}
