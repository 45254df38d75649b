import { Badge } from "@mantine/core";
import type { ChangeRecord } from "../../../src/contract/changes/change.ts";
import lines from "../parts/lines.module.css";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./history.module.css";
import { HISTORY_WORDS, OUTCOME_WORDS } from "./history-words.ts";
import { KeptReasons } from "./kept-list.tsx";
import { RecordName } from "./record-name.tsx";
import { useLabel } from "./use-label.ts";
import { useShownChanges } from "./use-shown-changes.ts";
import { isDifferent, ValueDiff } from "./value-diff.tsx";

/** What a change did to one record. */
export function RecordItem({ record }: { record: ChangeRecord }) {
  const words = useWords(HISTORY_WORDS);
  const outcomes = useWords(OUTCOME_WORDS);
  const { number } = useFormat();
  const labelOf = useLabel();
  const { outcome, events, kept } = record;
  const shown = useShownChanges()(record).filter(isDifferent);
  return (
    <li className={styles.record}>
      <div className={styles.recordHead}>
        <RecordName record={record} />
        <Badge variant="default" tt="none" fw={500} radius="sm">
          {outcomes[outcome]}
        </Badge>
        {events > 0 && (
          <span className={lines.note}>
            {words.events}: {number(events)}
          </span>
        )}
      </div>
      {shown.length > 0 && (
        <dl className={styles.changes}>
          {shown.map(({ field, from, to }) => (
            <div key={field}>
              <dt>
                <bdi>{labelOf(record, field)}</bdi>
              </dt>
              <dd>
                <ValueDiff record={record} field={field} from={from} to={to} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {kept.length > 0 && <KeptReasons record={record} />}
    </li>
  );
}
