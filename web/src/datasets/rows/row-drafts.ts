import { useEffect, useRef } from "react";
import { useApi } from "../../api/queries.ts";
import { draftsUnder } from "../../drafts/draft-store.ts";
import { useDraftPlace } from "../../drafts/use-draft.ts";
import { isRow, type Row } from "../model/dataset.ts";

/** What the names of the drafts of a dataset's rows start with; the row's id follows, or `new`. */
export const rowDrafts = (dataset: string): string => `edited-row/${dataset}/`;

/** Opens the row whose text was not saved before a reload, wherever in the list it is, or the form of a new one. */
export function useKeptRow(dataset: string, mayWrite: boolean, open: (row: Row | undefined) => void): void {
  const place = useDraftPlace();
  const { call } = useApi();
  const kept = useRef(mayWrite ? [...draftsUnder(place, rowDrafts(dataset)).keys()][0] : undefined);
  const run = useRef(open);
  run.current = open;
  useEffect(() => {
    const { current: row } = kept;
    kept.current = undefined;
    if (row === undefined) return;
    if (row === "new") return run.current(undefined);
    void call("GET", "/v1/datasets/{id}/rows/{row}", { params: { id: dataset, row } }).then(
      (found) => isRow(found) && run.current(found),
      // the row is gone, or cannot be read now: the draft waits for the next time
      () => undefined,
    );
  }, [call, dataset]);
}
