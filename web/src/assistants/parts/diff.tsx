import { IconArrowRight } from "../../look/icons.ts";
import diff from "../../parts/diff.module.css";
import { isEmpty, listDiff } from "../../records/value.ts";
import { useWords, type Words } from "../../words/use-words.ts";
import styles from "./parts.module.css";
import { Value } from "./value.tsx";

const WORDS: Words<Record<"became" | "added" | "removed", string>> = {
  en: { became: "became", added: "Added", removed: "Removed" },
  "pt-BR": { became: "passou a ser", added: "Adicionado", removed: "Removido" },
};

/** A value before and after a change: lists as what was added and removed, others as both. */
export function Diff({
  field,
  from,
  to,
  currency,
}: {
  field: string;
  from: unknown;
  to: unknown;
  currency?: unknown;
}) {
  const words = useWords(WORDS);
  const lists = listDiff(from, to);
  if (lists !== undefined)
    return (
      <span className={diff.diff}>
        {lists.removed.map((each) => (
          <span className={styles.mark} key={`- ${each}`}>
            <span aria-hidden>− </span>
            <span className="unseen">{words.removed}: </span>
            <bdi>{each}</bdi>
          </span>
        ))}
        {lists.added.map((each) => (
          <span className={styles.mark} data-added key={`+ ${each}`}>
            <span aria-hidden>+ </span>
            <span className="unseen">{words.added}: </span>
            <bdi>{each}</bdi>
          </span>
        ))}
      </span>
    );
  const isNew = isEmpty(from);
  return (
    <span className={diff.diff}>
      {!isNew && (
        <>
          <span className={diff.was}>
            <Value field={field} value={from} currency={currency} />
          </span>
          <IconArrowRight size={14} role="img" aria-label={words.became} className={diff.arrow} />
        </>
      )}
      <span className={isEmpty(to) ? diff.none : undefined}>
        <Value field={field} value={to} currency={currency} />
      </span>
    </span>
  );
}
