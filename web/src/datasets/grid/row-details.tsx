import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { LongText } from "../../parts/long-text.tsx";
import { useWords } from "../../words/use-words.ts";
import { useCellText } from "../model/cell-text.ts";
import { isBlank, type Row } from "../model/dataset.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import styles from "./grid.module.css";

/** A row to be read: every column with its whole value. */
export function RowDetails({ dataset, row }: { dataset: Dataset; row: Row }) {
  const words = useWords(ROW_WORDS);
  const textOf = useCellText();
  return (
    <dl className={styles.values}>
      {dataset.columns.map((column) => {
        const value = row[column.key];
        const text = column.type === "text" && typeof value === "string" ? value : textOf(column, value);
        return (
          <div key={column.key}>
            <dt>
              <bdi>{column.label}</bdi>
            </dt>
            <dd>
              {isBlank(value) ? <span className={styles.note}>{words.empty}</span> : <LongText text={text} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
