import { Anchor, Badge } from "@mantine/core";
import { Link } from "react-router";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import { IconLink } from "../../look/icons.ts";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { ROW_COUNT } from "../../words/row-count.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { useRowCount } from "../model/use-datasets.ts";
import { MATCH_WORDS } from "../schema/schema-words.ts";
import { COLUMNS, DATASET_LIST_WORDS } from "./dataset-list-words.ts";
import styles from "./datasets-list.module.css";

/** A dataset in the list. */
export function DatasetLine({ dataset }: { dataset: Dataset }) {
  const { id, name, key, columns, lead_link: link, change } = dataset;
  const words = useWords(DATASET_LIST_WORDS);
  const matches = useWords(MATCH_WORDS);
  const locale = useLocale();
  const { number, ago, moment } = useFormat();
  const { id: project } = useProject();
  const { data: count } = useRowCount(id);
  return (
    <li className={styles.line}>
      <div className={styles.lineName}>
        <Anchor component={Link} to={addressIn(project, `datasets/${id}`)} fw={600}>
          <bdi>{name}</bdi>
        </Anchor>
        <code className={styles.note}>{key}</code>
      </div>
      <span className={styles.note}>
        {count === undefined ? "…" : ROW_COUNT[locale](number(count.count), count.relation === "gte")}
        {" · "}
        {COLUMNS[locale](columns.length, number(columns.length))}
      </span>
      <span className={styles.note}>
        {link === null ? (
          words.alone
        ) : (
          <>
            <IconLink size={14} aria-hidden /> {words.linked} {matches[link.match]}
          </>
        )}
      </span>
      <span className={styles.lineEnd}>
        {change !== null && (
          <Badge tt="none" variant="light" color={change.state === "running" ? "blue" : "red"}>
            {words[change.state]}
          </Badge>
        )}
        <time className={styles.note} dateTime={dataset.updated_at} title={moment(dataset.updated_at)}>
          {ago(dataset.updated_at)}
        </time>
      </span>
    </li>
  );
}
