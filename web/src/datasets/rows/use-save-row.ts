import { useMutation } from "@tanstack/react-query";
import { ApiError } from "../../api/api-error.ts";
import { useApi } from "../../api/queries.ts";
import { done } from "../../parts/toast.ts";
import { useWords } from "../../words/use-words.ts";
import type { Dataset, Row } from "../model/dataset.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import { datasetPath } from "../model/use-datasets.ts";
import { usePutRows, useRowsChanged } from "./use-rows.ts";

const NONE: readonly never[] = [];

/** Saves a whole row, or creates one and shows it first. */
export function useSaveRow({ id }: Dataset) {
  const { send } = useApi();
  const words = useWords(ROW_WORDS);
  const put = usePutRows(id);
  const changed = useRowsChanged(id);
  const mutation = useMutation({
    mutationFn: ({ row, values }: { row: Row | undefined; values: object }) =>
      row === undefined
        ? send<Row>("POST", `${datasetPath(id)}/rows`, values)
        : send<Row>("PATCH", `${datasetPath(id)}/rows/${row._id}`, values, { ifMatch: row._version }),
    onSuccess(now, { row }) {
      if (row === undefined) put((rows, page) => (page === 0 ? [now, ...rows] : rows));
      else put((rows) => rows.map((each) => (each._id === now._id ? now : each)));
      changed();
      done(row === undefined ? words.created : words.saved);
    },
    onError(error) {
      if (error instanceof ApiError && error.status === 412) changed("everywhere");
    },
  });
  const { error } = mutation;
  const faults = error instanceof ApiError && [400, 422].includes(error.status) ? error.details : NONE;
  return { ...mutation, faults };
}
