import history from "../../history/history.module.css";
import { OUTCOME_WORDS } from "../../history/history-words.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { type Fields, isFields, listIn, textIn } from "../host/answer.ts";
import { Diff } from "../parts/diff.tsx";
import { labelOf } from "../parts/labels.ts";
import parts from "../parts/parts.module.css";
import styles from "./change.module.css";
import { CHANGE_WORDS, OUTCOMES } from "./change-words.ts";
import { Kept } from "./kept.tsx";

/** What a change did, or would do, to each record. */
export const Records = ({ records }: { records: readonly Fields[] }) => (
  <ul className={parts.plain}>
    {records.map((record, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the records never move
      <Record key={i} record={record} />
    ))}
  </ul>
);

function Record({ record }: { record: Fields }) {
  const locale = useLocale();
  const words = useWords(CHANGE_WORDS);
  const one: Readonly<{ [name: string]: string | undefined }> = useWords(OUTCOME_WORDS);
  const outcome = textIn(record, "outcome");
  const changes = listIn(record, "changes").filter(isFields);
  const back = listIn(record, "put_back").map((field) => labelOf(locale, String(field)));
  return (
    <li className={styles.record}>
      <div className={history.recordHead}>
        <b>
          <bdi>
            {textIn(record, "name") ?? textIn(record, "title") ?? textIn(record, "id") ?? words.nameless}
          </bdi>
        </b>
        {outcome !== undefined && (
          <span className={parts.badge}>{one[outcome] ?? OUTCOMES[locale][outcome] ?? outcome}</span>
        )}
      </div>
      {(changes.length > 0 || back.length > 0) && (
        <dl className={history.changes}>
          {changes.map(({ field, from, to }) => (
            <div key={String(field)}>
              <dt>
                <bdi>{labelOf(locale, String(field))}</bdi>
              </dt>
              <dd>
                <Diff field={String(field)} from={from} to={to} />
              </dd>
            </div>
          ))}
          {back.length > 0 && (
            <div>
              <dt>{words.putBack}</dt>
              <dd>
                <bdi>{back.join(", ")}</bdi>
              </dd>
            </div>
          )}
        </dl>
      )}
      <EventTitles titles={listIn(record, "events").map(String)} />
      <Kept kept={listIn(record, "kept").filter(isFields)} />
    </li>
  );
}

const EventTitles = ({ titles }: { titles: readonly string[] }) =>
  titles.length === 0 ? null : (
    <ul className={styles.titles}>
      {titles.map((title, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the titles never move
        <li key={i}>
          <bdi>{title}</bdi>
        </li>
      ))}
    </ul>
  );
