import type { Dataset } from "../../../../src/contract/nouns/datasets/dataset.ts";
import type { RowValues } from "../../../../src/contract/nouns/datasets/row-input.ts";
import { useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { done, failed } from "../../parts/toast.ts";
import { sayWithUndo } from "../../parts/undo-toast.tsx";
import { useFormat } from "../../words/format.ts";
import { ROW_COUNT } from "../../words/row-count.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { isBlank, isRow, type Row } from "../model/dataset.ts";
import { REFUSALS } from "../model/dataset-faults.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import { usePutRows, useRowsChanged } from "./use-rows.ts";

/** The API's limit per call. */
export const MOST_ROWS = 500;

/** Writes rows, all or none. A refusal lists the errors of each row. */
export function useWriteRows({ id }: Dataset) {
  const { call } = useApi();
  const changed = useRowsChanged(id);
  return useSubmit({
    mutationFn: ({ rows, mode }: { rows: readonly RowValues[]; mode: "insert" | "update" }) =>
      call("POST", "/v1/datasets/{id}/rows/batch", { params: { id }, body: { rows, mode } }),
    onSuccess: () => changed("everywhere"),
  });
}

/** Deletes rows, and offers to restore their values as new rows. */
export function useDeleteRows(dataset: Dataset) {
  const { id, columns } = dataset;
  const { call } = useApi();
  const locale = useLocale();
  const words = useWords(ROW_WORDS);
  const { number } = useFormat();
  const put = usePutRows(id);
  const changed = useRowsChanged(id);
  const bringBack = async (rows: readonly Row[]) => {
    const values = rows.map((row) =>
      Object.fromEntries(columns.flatMap(({ key }) => (isBlank(row[key]) ? [] : [[key, row[key]]]))),
    );
    try {
      await call("POST", "/v1/datasets/{id}/rows/batch", {
        params: { id },
        body: { rows: values, mode: "insert" },
      });
      changed("everywhere");
      done(words.restored);
    } catch (error) {
      failed(locale, error, REFUSALS[locale], () => void bringBack(rows));
    }
  };
  return useSubmit({
    async mutationFn(rows: readonly Row[]) {
      const ids = rows.map((row) => row._id);
      // what is on the screen may be old: the undo gives back what was there
      const filter = { field: "_id", op: "in" as const, value: ids };
      const body = { filter, limit: MOST_ROWS };
      const present = await call("POST", "/v1/datasets/{id}/query", { params: { id }, body });
      await call("DELETE", "/v1/datasets/{id}/rows", { params: { id }, body: { ids } });
      return present.rows.filter(isRow);
    },
    onSuccess(deleted, rows) {
      const gone = new Set(rows.map((row) => row._id));
      put((present) => present.filter((row) => !gone.has(row._id)));
      changed();
      const said = `${words.deleted}: ${ROW_COUNT[locale](number(rows.length))}`;
      sayWithUndo(said, words.undo, () => void bringBack(deleted));
    },
    onError: (error) => failed(locale, error, REFUSALS[locale]),
  });
}
