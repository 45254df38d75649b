import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import type { RowValues } from "../../../../src/contract/datasets/row-input.ts";
import { ApiError } from "../../api/api-error.ts";
import { useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { useDone } from "../../changes/use-done.ts";
import { sameValue } from "../../records/value.ts";
import { useWords } from "../../words/use-words.ts";
import type { Row } from "../model/dataset.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import { usePutRows, useRowsChanged } from "./use-rows.ts";

const NONE: readonly never[] = [];

/** Saves a whole row, or creates one and shows it first. */
export function useSaveRow({ id }: Dataset) {
  const { call, write: send } = useApi();
  const done = useDone();
  const words = useWords(ROW_WORDS);
  const put = usePutRows(id);
  const changed = useRowsChanged(id);
  const mutation = useSubmit({
    async mutationFn({ row, values, was }: { row: Row | undefined; values: RowValues; was: RowValues }) {
      if (row === undefined)
        return await send("POST", "/v1/datasets/{id}/rows", { params: { id }, body: values });
      const params = { id, row: row._id };
      const write = (ifMatch: number) =>
        send("PATCH", "/v1/datasets/{id}/rows/{row}", { params, body: values, ifMatch });
      try {
        return await write(row._version);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412) throw error;
        // someone changed the row: what they left alone can still be written
        const now = await call("GET", "/v1/datasets/{id}/rows/{row}", { params });
        const isAsSeen = (key: string) => key in was && sameValue(now[key], was[key]);
        if (!Object.keys(values).every(isAsSeen)) throw error;
        return await write(now._version);
      }
    },
    onSuccess({ answer: now, change }, { row }) {
      if (row === undefined) put((rows, page) => (page === 0 ? [now, ...rows] : rows));
      else put((rows) => rows.map((each) => (each._id === now._id ? now : each)));
      changed();
      done(row === undefined ? words.created : words.saved, change);
    },
    onError(error) {
      if (error instanceof ApiError && error.status === 412) changed("everywhere");
    },
  });
  const { error } = mutation;
  const faults = error instanceof ApiError && [400, 422].includes(error.status) ? error.details : NONE;
  return { ...mutation, faults };
}
