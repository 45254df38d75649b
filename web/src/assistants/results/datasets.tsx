import { useWords } from "../../words/use-words.ts";
import { isFields, listIn, textIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { useView } from "../host/view-context.ts";
import { Page } from "../parts/page.tsx";
import { RecordTable } from "../parts/record-table.tsx";
import { RESULT_WORDS } from "./result-words.ts";
import styles from "./results.module.css";
import { tableIn } from "./table-of.ts";
import { useRange } from "./use-range.ts";

/** Rows of a dataset. */
export function DatasetRows({ call: { answer, input } }: { call: Call }) {
  const words = useWords(RESULT_WORDS);
  const { number } = useView().format;
  const { columns, rows, same } = tableIn(answer.rows);
  const name = textIn(input, "dataset") ?? words.rows;
  const range = useRange(answer, input, rows.length);
  const counted = words.rowCount(number(range.count), range.count);
  const shared = same.map(([column, value]) => `${column}: ${String(value)}`);
  return (
    <Page
      title={range.count === 0 ? words.noRows : range.isAtLeast ? words.more(counted) : counted}
      lead={[
        <bdi key="name">{name}</bdi>,
        range.sentence,
        shared.length > 0 ? words.all(shared.join(" · ")) : undefined,
      ]
        .filter((part) => part !== undefined)
        .flatMap((part, i) => (i === 0 ? [part] : [" · ", part]))}
      answer={answer}
    >
      {rows.length > 0 && <RecordTable columns={columns} rows={rows} name={name} isOfLeads={false} />}
    </Page>
  );
}

/** The datasets of the project with their columns. */
export function Datasets({ call: { answer, input } }: { call: Call }) {
  const words = useWords(RESULT_WORDS);
  const datasets = listIn(answer, "datasets").filter(isFields);
  const range = useRange(answer, input, datasets.length);
  return (
    <Page
      title={datasets.length === 0 ? words.noDatasets : words.datasets}
      lead={range.sentence}
      answer={answer}
    >
      <ul className={styles.list}>
        {datasets.map((dataset) => (
          <li key={String(dataset.id)}>
            <details>
              <summary>
                <bdi>{String(dataset.name ?? dataset.key)}</bdi> <code>{String(dataset.key)}</code>
              </summary>
              <ul className={styles.columns} aria-label={words.columns}>
                {listIn(dataset, "columns").map((column) => (
                  <li key={String(column)}>
                    <bdi>{String(column)}</bdi>
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </Page>
  );
}
