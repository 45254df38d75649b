import { IconCheck, IconX } from "../../look/icons.ts";
import { useWords } from "../../words/use-words.ts";
import { type Fields, isFields, listIn, textIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { Page } from "../parts/page.tsx";
import { useValueText } from "../parts/value-text.ts";
import { RESULT_WORDS } from "./result-words.ts";
import styles from "./results.module.css";

/** Which conditions of a filter a lead meets. */
export function Explained({ call: { answer } }: { call: Call }) {
  const words = useWords(RESULT_WORDS);
  const conditions = listIn(answer, "conditions").filter(isFields);
  const groups = [...Map.groupBy(conditions, ({ group }) => group ?? 1)];
  return (
    <Page
      title={answer.matches === true ? words.matches : words.differs}
      lead={groups.length > 1 ? words.alternative : undefined}
      answer={answer}
    >
      {groups.map(([group, all]) => (
        <section key={String(group)} className={styles.section}>
          {groups.length > 1 && (
            <h2>
              {words.group} {String(group)}
            </h2>
          )}
          <ul className={styles.list}>
            {all.map((condition) => (
              <Condition key={JSON.stringify(condition)} condition={condition} />
            ))}
          </ul>
        </section>
      ))}
    </Page>
  );
}

function Condition({ condition }: { condition: Fields }) {
  const words = useWords(RESULT_WORDS);
  const textOf = useValueText();
  const isMet = condition.met === true;
  return (
    <li className={styles.condition}>
      <span className={styles.sign} data-met={isMet || undefined}>
        {isMet ? (
          <IconCheck size={16} role="img" aria-label={words.met} />
        ) : (
          <IconX size={16} role="img" aria-label={words.unmet} />
        )}
      </span>
      <span>
        <bdi>{textIn(condition, "condition") ?? ""}</bdi>
        {condition.lead_has !== undefined && (
          <span className={styles.has}>
            {words.has} <bdi>{textOf("", condition.lead_has)}</bdi>
          </span>
        )}
      </span>
    </li>
  );
}
