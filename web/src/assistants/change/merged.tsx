import { leadName } from "../../words/lead-name.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { fieldsIn, listIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { labelOf } from "../parts/labels.ts";
import { Page } from "../parts/page.tsx";
import { Value } from "../parts/value.tsx";
import styles from "./change.module.css";
import { CHANGE_WORDS } from "./change-words.ts";

/** A merge: the lead that stays, with the fields that it got. */
export function Merged({ call: { answer } }: { call: Call }) {
  const locale = useLocale();
  const words = useWords(CHANGE_WORDS);
  const lead = fieldsIn(answer, "lead");
  const custom = fieldsIn(lead, "custom");
  const changed = listIn(answer, "changed_fields").map(String);
  return (
    <Page
      title={words.merged}
      lead={<bdi>{[leadName(lead), words.undoable].filter(Boolean).join(". ")}</bdi>}
      answer={answer}
    >
      <dl className={styles.changes}>
        {changed.map((field) => (
          <div key={field}>
            <dt>
              <bdi>{labelOf(locale, field)}</bdi>
            </dt>
            <dd>
              <Value
                field={field}
                value={field.startsWith("custom.") ? custom[field.slice(7)] : lead[field]}
                currency={lead.currency}
              />
            </dd>
          </div>
        ))}
      </dl>
    </Page>
  );
}
