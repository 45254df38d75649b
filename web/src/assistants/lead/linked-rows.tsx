import { useWords } from "../../words/use-words.ts";
import { type Fields, fieldsIn, isFields, listIn } from "../host/answer.ts";
import { asWords } from "../parts/labels.ts";
import { RecordTable } from "../parts/record-table.tsx";
import { Warning } from "../parts/warning.tsx";
import { CARD_WORDS } from "./card-words.ts";

/** The newest rows of datasets that are linked to a lead. */
export function LinkedRows({ datasets }: { datasets: Fields }) {
  const words = useWords(CARD_WORDS);
  return Object.keys(datasets).map((key) => {
    const dataset = fieldsIn(datasets, key);
    const rows = listIn(dataset, "rows").filter(isFields);
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
      (name) => !name.startsWith("_"),
    );
    if (rows.length === 0) return null;
    return (
      <section key={key}>
        <h2>
          <bdi>{asWords(key)}</bdi>
        </h2>
        <RecordTable
          columns={columns}
          rows={rows.map((row) => columns.map((name) => row[name]))}
          name={`${words.linked}: ${asWords(key)}`}
          isOfLeads={false}
        />
        {dataset.has_more === true && <Warning text={words.moreRows} />}
      </section>
    );
  });
}
