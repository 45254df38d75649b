import { OUTCOME_WORDS } from "../../history/history-words.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { type Fields, isFields, listIn, textIn } from "../host/answer.ts";
import { labelOf } from "../parts/labels.ts";
import parts from "../parts/parts.module.css";
import styles from "./change.module.css";
import { ALSO_DONE, CHANGE_WORDS, PLANNED } from "./change-words.ts";
import { Changes } from "./changes.tsx";
import { Kept } from "./kept.tsx";

/** What a change did to each record, or would do if it is only planned. */
export const Records = ({
  records,
  isPlanned = false,
}: {
  records: readonly Fields[];
  isPlanned?: boolean;
}) => (
  <ul className={parts.plain}>
    {records.map((record, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the records never move
      <Record key={i} record={record} isPlanned={isPlanned} />
    ))}
  </ul>
);

function Record({ record, isPlanned }: { record: Fields; isPlanned: boolean }) {
  const locale = useLocale();
  const words = useWords(CHANGE_WORDS);
  const done: Readonly<{ [name: string]: string | undefined }> = useWords(OUTCOME_WORDS);
  const outcome = textIn(record, "outcome") ?? "";
  const said = isPlanned ? PLANNED[locale][outcome] : (done[outcome] ?? ALSO_DONE[locale][outcome]);
  const back = listIn(record, "put_back").map((field) => labelOf(locale, String(field)));
  return (
    <li className={styles.record}>
      <div className={styles.recordHead}>
        <RecordName record={record} />
        {outcome !== "" && (
          <span className={parts.badge} data-tone={outcome === "deleted" ? "warn" : undefined}>
            {said ?? outcome}
          </span>
        )}
      </div>
      <Changes changes={listIn(record, "changes").filter(isFields)} />
      {back.length > 0 && (
        <dl className={styles.changes}>
          <div>
            <dt>{words.fields}</dt>
            <dd>
              <bdi>{back.join(", ")}</bdi>
            </dd>
          </div>
        </dl>
      )}
      <EventTitles titles={listIn(record, "events").map(String)} />
      <Kept kept={listIn(record, "kept").filter(isFields)} />
    </li>
  );
}

/** The name of a record; its id only where that is all there is. */
function RecordName({ record }: { record: Fields }) {
  const words = useWords(CHANGE_WORDS);
  const [name, id] = [textIn(record, "name") ?? textIn(record, "title"), textIn(record, "id")];
  if (name === undefined && id !== undefined) return <code className={styles.id}>{id}</code>;
  return (
    <b>
      <bdi>{name ?? words.nameless}</bdi>
    </b>
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
