import { useLocale } from "../../words/use-words.ts";
import type { Fields } from "../host/answer.ts";
import { useView } from "../host/view-context.ts";
import { changed, figureName, written } from "./figures.ts";
import styles from "./results.module.css";

/** Figures of all leads, each with its change since the period before. */
export function Tiles({ figures, names }: { figures: Fields; names: readonly string[] }) {
  const locale = useLocale();
  const { format } = useView();
  return (
    <dl className={styles.tiles}>
      {names.map((name) => {
        const before = figures[`${name}_before`];
        const change = changed(locale, format, name, figures);
        return (
          <div key={name}>
            <dt>{figureName(locale, name)}</dt>
            <dd>
              {written(format, name, figures[name])}
              {before !== undefined && (
                <small>
                  {change !== undefined && <b>{change}</b>} {locale === "en" ? "from" : "de"}{" "}
                  {written(format, name, before)}
                </small>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
