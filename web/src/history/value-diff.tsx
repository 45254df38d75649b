import { Badge, Group } from "@mantine/core";
import type { ChangeRecord } from "../../../src/contract/changes/change.ts";
import { useCellText } from "../datasets/model/cell-text.ts";
import { IconArrowRight } from "../look/icons.ts";
import diff from "../parts/diff.module.css";
import { LongText } from "../parts/long-text.tsx";
import { useProjectSchema } from "../records/project-schema.ts";
import { isEmpty, listDiff, sameValue } from "../records/value.ts";
import { useValueText } from "../records/value-text.ts";
import { StatusDot } from "../statuses/status-dot.tsx";
import { useWords } from "../words/use-words.ts";
import styles from "./history.module.css";
import { HISTORY_WORDS } from "./history-words.ts";
import { useColumnOf } from "./use-label.ts";

interface Diff {
  record: Pick<ChangeRecord, "kind" | "dataset_id">;
  field: string;
  from: unknown;
  to: unknown;
}

/** A value before and after a change: lists as what was added and removed, others as both. */
export function ValueDiff({ record, field, from, to }: Diff) {
  const lists = listDiff(from, to);
  if (lists !== undefined) return <ListDiff {...lists} />;
  return <FromTo record={record} field={field} from={from} to={to} />;
}

function ListDiff({ removed, added }: { removed: readonly string[]; added: readonly string[] }) {
  const words = useWords(HISTORY_WORDS);
  const item = (sign: string, name: string, text: string) => (
    <Badge
      key={sign + text}
      variant="default"
      tt="none"
      fw={500}
      radius="sm"
      maw="100%"
      className={sign === "+" ? styles.plus : styles.minus}
    >
      <span aria-hidden>{sign} </span>
      <span className="unseen">{name}: </span>
      <bdi>{text}</bdi>
    </Badge>
  );
  return (
    <Group gap={4}>
      {removed.map((each) => item("−", words.removed, each))}
      {added.map((each) => item("+", words.added, each))}
    </Group>
  );
}

function FromTo(change: Diff) {
  const words = useWords(HISTORY_WORDS);
  return (
    <span className={diff.diff}>
      <span className={isEmpty(change.from) ? diff.none : diff.was}>
        <Value {...change} value={change.from} />
      </span>
      <IconArrowRight size={14} role="img" aria-label={words.became} className={diff.arrow} />
      <span className={isEmpty(change.to) ? diff.none : undefined}>
        <Value {...change} value={change.to} />
      </span>
    </span>
  );
}

function Value({ record, field, value }: Diff & { value: unknown }) {
  const { statuses } = useProjectSchema();
  const textOf = useValueText();
  const cellTextOf = useCellText();
  const column = useColumnOf()(record, field);
  const isLead = record.kind === "lead";
  // fields of other records have names of their own
  const text =
    column === undefined || isEmpty(value) ? textOf(isLead ? field : "", value) : cellTextOf(column, value);
  if (isLead && field === "status" && !isEmpty(value))
    return (
      <span className={styles.status}>
        <StatusDot statuses={statuses} status={String(value)} />
        <bdi>{text}</bdi>
      </span>
    );
  return <LongText text={text} money={isLead && field === "value"} />;
}

/** Whether a value differs at all; what a change only repeated is not shown. */
export const isDifferent = ({ from, to }: { from: unknown; to: unknown }): boolean =>
  !sameValue(from, to) && !(isEmpty(from) && isEmpty(to));
