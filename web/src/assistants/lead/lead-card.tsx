import { leadName } from "../../words/lead-name.ts";
import { useWords } from "../../words/use-words.ts";
import { type Fields, fieldsIn, isFields, listIn, textIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { Page } from "../parts/page.tsx";
import parts from "../parts/parts.module.css";
import { Status } from "../parts/status.tsx";
import { Warning } from "../parts/warning.tsx";
import styles from "./card.module.css";
import { CARD_WORDS } from "./card-words.ts";
import { Events } from "./events.tsx";
import { Facts } from "./facts.tsx";
import { LinkedRows } from "./linked-rows.tsx";

/** An answer of get_lead: who it is, what is known, and what happened last. */
export function LeadCard({ call: { answer } }: { call: Call }) {
  const words = useWords(CARD_WORDS);
  if (!isFields(answer.lead)) throw new Error("not an answer of get_lead");
  const { lead } = answer;
  const datasets = fieldsIn(lead, "datasets");
  return (
    <Page
      title={<bdi>{leadName(lead) || words.nameless}</bdi>}
      lead={<Position lead={lead} />}
      actions={<Marks lead={lead} />}
      answer={answer}
    >
      <Facts lead={lead} />
      {Object.keys(datasets).length > 0 && <LinkedRows datasets={datasets} />}
      {answer.events !== undefined && (
        <Events
          events={listIn(answer, "events").filter(isFields)}
          isMore={answer.more_events === true}
          currency={lead.currency}
        />
      )}
      {answer.truncated === true && <Warning text={words.cut} />}
    </Page>
  );
}

const Position = ({ lead }: { lead: Fields }) => (
  <bdi>{[textIn(lead, "job_title"), textIn(lead, "company")].filter(Boolean).join(" · ")}</bdi>
);

/** The lead's status, and what to heed before anything else. */
function Marks({ lead }: { lead: Fields }) {
  const words = useWords(CARD_WORDS);
  const status = textIn(lead, "status");
  return (
    <div className={styles.marks}>
      {lead.deleted_at !== undefined && (
        <span className={parts.badge} data-tone="warn">
          {words.deleted}
        </span>
      )}
      {lead.do_not_contact === true && (
        <span className={parts.badge} data-tone="warn">
          {words.noContact}
        </span>
      )}
      {status !== undefined && <Status status={status} />}
    </div>
  );
}
