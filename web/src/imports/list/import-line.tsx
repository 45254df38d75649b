import { Progress, Text } from "@mantine/core";
import { Link } from "react-router";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import styles from "../../parts/lines.module.css";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { ROW_COUNT } from "../../words/row-count.ts";
import { useWords } from "../../words/use-words.ts";
import { partOf } from "../record/import-record.ts";
import { IMPORT_STATES, IMPORT_WORDS } from "../record/import-words.ts";
import { COUNT_NAMES, REPORT_WORDS } from "../record/report-words.ts";
import { StateBadge } from "../record/state-badge.tsx";

const SHOWN = ["created", "updated", "failed"] as const;

/** An import in the history. */
export function ImportLine({ record }: { record: Import }) {
  const { id: project } = useProject();
  const words = useWords(IMPORT_WORDS);
  const report = useWords(REPORT_WORDS);
  const names = useWords(COUNT_NAMES);
  const states = useWords(IMPORT_STATES);
  const rows = useWords(ROW_COUNT);
  const { number, ago, moment, list } = useFormat();
  const { state, file, actor, undo, created_at: at } = record;
  const total = file.rows ?? record.rows;
  const counted = SHOWN.filter((name) => record[name] > 0);
  const part = partOf(record);
  return (
    <li className={styles.line}>
      <div className={styles.what}>
        <Link to={addressIn(project, `imports/${record.id}`)} className={styles.name}>
          <bdi>{file.name}</bdi>
        </Link>
        <span className={styles.note}>
          {rows(number(total))} ·{" "}
          <time dateTime={at} title={moment(at)}>
            {ago(at)}
          </time>
          {actor?.label && (
            <>
              {" "}
              {words.by} <bdi>{actor.label}</bdi>
            </>
          )}
        </span>
      </div>
      <div className={styles.counts}>
        {state === "running" && part !== undefined ? (
          <Progress value={part * 100} animated aria-label={states.running} w="100%" />
        ) : (
          <Text size="sm" c="dimmed">
            {undo !== null && (state === "undone" || state === "undoing")
              ? report.undoCounts(number(undo.deleted), number(undo.restored), number(undo.left))
              : list(counted.map((name) => `${number(record[name])} ${names[name]}`))}
          </Text>
        )}
      </div>
      <StateBadge state={state} />
    </li>
  );
}
