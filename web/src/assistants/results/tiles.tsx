import { useLocale, useWords } from "../../words/use-words.ts";
import type { Fields } from "../host/answer.ts";
import { useView } from "../host/view-context.ts";
import { changed, figureName, written } from "./figures.ts";
import { RESULT_WORDS } from "./result-words.ts";
import styles from "./results.module.css";

/** A longer number is written smaller, because it does not break. */
const LONG = 9;

/** Figures of all leads, each with its change since the period before. */
export function Tiles({ figures, names }: { figures: Fields; names: readonly string[] }) {
  const locale = useLocale();
  const words = useWords(RESULT_WORDS);
  const { format } = useView();
  return (
    <dl className={styles.tiles}>
      {names.map((name) => {
        const before = figures[`${name}_before`];
        const change = changed(locale, format, name, figures);
        const text = written(format, name, figures[name]);
        return (
          <div key={name}>
            <dt>{figureName(locale, name)}</dt>
            <dd data-long={text.length > LONG || undefined}>
              {text}
              {before !== undefined && (
                <small>
                  {change !== undefined && <b>{change}</b>} {words.before(written(format, name, before))}
                </small>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
