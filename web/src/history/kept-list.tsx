import { Anchor, Text } from "@mantine/core";
import { Link } from "react-router";
import type { KeptRecord } from "../changes/undo-calls.ts";
import { UNDO_WORDS } from "../changes/undo-words.ts";
import { isolated } from "../changes/use-kept-text.ts";
import { historyAddress } from "../changes/use-undo.ts";
import { useProject } from "../session/me.ts";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./history.module.css";
import { HISTORY_WORDS, KEPT_BECAUSE } from "./history-words.ts";
import { RecordName } from "./record-name.tsx";
import { useLabel } from "./use-label.ts";

type Kept = KeptRecord["kept"][number];

/** Records of which an undo keeps something, with the reasons. */
export function KeptList({ records }: { records: readonly KeptRecord[] }) {
  return (
    <ul className={styles.keptRecords}>
      {records.map((record) => (
        <li key={`${record.kind} ${record.id}`}>
          <RecordName record={record} />
          <KeptReasons record={record} />
        </li>
      ))}
    </ul>
  );
}

/** What was kept of a record, why and by whom. */
export function KeptReasons({ record }: { record: KeptRecord }) {
  return (
    <ul className={styles.reasons}>
      {record.kept.map((kept) => (
        <li key={kept.field ?? ""}>
          <Reason record={record} kept={kept} />
        </li>
      ))}
    </ul>
  );
}

function Reason({ record, kept }: { record: KeptRecord; kept: Kept }) {
  const { field, reason, by, at, change_id: change } = kept;
  const words = useWords(HISTORY_WORDS);
  const because = useWords(KEPT_BECAUSE);
  const undo = useWords(UNDO_WORDS);
  const { id: project } = useProject();
  const labelOf = useLabel();
  const { ago, moment } = useFormat();
  const someone = undo.someone.charAt(0).toUpperCase() + undo.someone.slice(1);
  const who = by === null || by.label === "" ? someone : isolated(by.label);
  return (
    <Text size="sm" c="dimmed" component="span">
      {field !== null && (
        <>
          <bdi>{labelOf(record, field)}</bdi>
          {": "}
        </>
      )}
      {because[reason](who)}
      {at !== null && (
        <>
          {" · "}
          <time dateTime={at} title={moment(at)}>
            {ago(at)}
          </time>
        </>
      )}
      {change !== null && (
        <>
          {" · "}
          <Anchor component={Link} to={historyAddress(project, change)} inherit underline="always">
            {words.seeChange}
          </Anchor>
        </>
      )}
    </Text>
  );
}
