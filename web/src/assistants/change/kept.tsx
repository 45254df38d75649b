import { UNDO_WORDS } from "../../changes/undo-words.ts";
import { KEPT_BECAUSE } from "../../history/history-words.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { type Fields, textIn } from "../host/answer.ts";
import { labelOf } from "../parts/labels.ts";
import styles from "./change.module.css";

/** What an undo left alone, and why. */
export function Kept({ kept }: { kept: readonly Fields[] }) {
  const locale = useLocale();
  const { someone } = useWords(UNDO_WORDS);
  const because: Readonly<{ [reason: string]: ((who: string) => string) | undefined }> =
    useWords(KEPT_BECAUSE);
  if (kept.length === 0) return null;
  const who = someone.charAt(0).toUpperCase() + someone.slice(1);
  return (
    <ul className={styles.titles}>
      {kept.map((each, i) => {
        const [field, reason] = [textIn(each, "field"), textIn(each, "reason") ?? ""];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the reasons never move
          <li key={i}>
            {field !== undefined && <bdi>{labelOf(locale, field)}: </bdi>}
            {because[reason]?.(who) ?? reason}
          </li>
        );
      })}
    </ul>
  );
}
