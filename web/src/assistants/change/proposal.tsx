import { useWords } from "../../words/use-words.ts";
import { fieldsIn, isFields, listIn, numberIn, textIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { useView } from "../host/view-context.ts";
import { Page } from "../parts/page.tsx";
import { Warning } from "../parts/warning.tsx";
import styles from "./change.module.css";
import { CHANGE_WORDS } from "./change-words.ts";
import { Failures } from "./failures.tsx";
import { OpenLink } from "./open-link.tsx";
import { Records } from "./records.tsx";

/** A change that waits for the person: what it would do, and the way to the page where they decide. */
export function Proposal({ call: { answer } }: { call: Call }) {
  const words = useWords(CHANGE_WORDS);
  const { format } = useView();
  const approval = fieldsIn(answer, "approval");
  const records = listIn(answer, "preview").filter(isFields);
  const total = numberIn(answer, "would_change") ?? records.length;
  const until = textIn(approval, "expires_at");
  return (
    <Page
      title={words.waits}
      lead={`${words.would(format.number(total), total)} ${words.nothingYet}`}
      answer={answer}
    >
      <Records records={records} isPlanned />
      {total > records.length && <Warning text={words.more(format.number(total - records.length))} />}
      <Failures failures={listIn(answer, "failures").filter(isFields)} />
      <OpenLink url={textIn(approval, "url") ?? ""} text={words.review} />
      <p className={styles.note}>
        {words.yours}
        {until !== undefined && !Number.isNaN(Date.parse(until)) && ` ${words.until(format.moment(until))}`}
      </p>
    </Page>
  );
}
