import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import type { RowValues } from "../../../../src/contract/datasets/row-input.ts";
import { useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { useDone } from "../../changes/use-done.ts";
import { failed } from "../../parts/toast.ts";
import { useFormat } from "../../words/format.ts";
import { ROW_COUNT } from "../../words/row-count.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import type { Row } from "../model/dataset.ts";
import { REFUSALS } from "../model/dataset-faults.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import { usePutRows, useRowsChanged } from "./use-rows.ts";

/** The API's limit per call. */
export const MOST_ROWS = 500;

/** Writes rows, all or none. A refusal lists the errors of each row. */
export function useWriteRows({ id }: Dataset) {
  const { write } = useApi();
  const changed = useRowsChanged(id);
  return useSubmit({
    mutationFn: ({ rows, mode }: { rows: readonly RowValues[]; mode: "insert" | "update" }) =>
      write("POST", "/v1/datasets/{id}/rows/batch", { params: { id }, body: { rows, mode } }),
    onSuccess: () => changed("everywhere"),
  });
}

/** Deletes rows. */
export function useDeleteRows({ id }: Dataset) {
  const { write } = useApi();
  const done = useDone();
  const locale = useLocale();
  const words = useWords(ROW_WORDS);
  const { number } = useFormat();
  const put = usePutRows(id);
  const changed = useRowsChanged(id);
  return useSubmit({
    mutationFn: (rows: readonly Row[]) =>
      write("DELETE", "/v1/datasets/{id}/rows", {
        params: { id },
        body: { ids: rows.map((row) => row._id) },
      }),
    onSuccess({ change }, rows) {
      const gone = new Set(rows.map((row) => row._id));
      put((present) => present.filter((row) => !gone.has(row._id)));
      changed();
      done(`${words.deleted}: ${ROW_COUNT[locale](number(rows.length))}`, change);
    },
    onError: (error) => failed(locale, error, REFUSALS[locale]),
  });
}
