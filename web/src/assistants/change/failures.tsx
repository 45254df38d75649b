import { useWords } from "../../words/use-words.ts";
import { type Fields, listIn, numberIn, textIn, withoutId } from "../host/answer.ts";
import { useView } from "../host/view-context.ts";
import parts from "../parts/parts.module.css";
import styles from "./change.module.css";
import { CHANGE_WORDS } from "./change-words.ts";

/** Items that a change refused, each with the reason. `nameOf` names one by its index. */
export function Failures({
  failures,
  nameOf,
}: {
  failures: readonly Fields[];
  nameOf?: (index: number) => string | undefined;
}) {
  const words = useWords(CHANGE_WORDS);
  const { number } = useView().format;
  if (failures.length === 0) return null;
  return (
    <section>
      <h2>{words.failures}</h2>
      <ul className={parts.plain}>
        {failures.map((failure, i) => {
          const index = numberIn(failure, "index");
          const name =
            textIn(failure, "name") ??
            (index === undefined ? undefined : (nameOf?.(index) ?? words.item(number(index + 1))));
          const candidates = listIn(failure, "candidates")
            .map((each) => withoutId(String(each)))
            .filter(Boolean);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the failures never move
            <li key={i} className={styles.failure}>
              {name !== undefined && (
                <b>
                  <bdi>{name}</bdi>
                </b>
              )}{" "}
              <bdi>{textIn(failure, "why") ?? textIn(failure, "message") ?? ""}</bdi>
              {candidates.length > 0 && (
                <div className={styles.note}>
                  {words.mayMean} <bdi>{candidates.join(" · ")}</bdi>
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
