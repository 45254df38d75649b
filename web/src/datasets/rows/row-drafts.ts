import { useEffect, useRef } from "react";
import { draftsUnder } from "../../drafts/draft-store.ts";
import { useDraftPlace } from "../../drafts/use-draft.ts";
import type { Row } from "../model/dataset.ts";

/** What the names of the drafts of a dataset's rows start with; the row's id follows, or `new`. */
export const rowDrafts = (dataset: string): string => `edited-row/${dataset}/`;

/** Opens the row whose text was not saved before a reload, or the form of a new one. */
export function useKeptRow(
  dataset: string,
  rows: readonly Row[],
  mayWrite: boolean,
  open: (row: Row | undefined) => void,
): void {
  const place = useDraftPlace();
  const kept = useRef(mayWrite ? [...draftsUnder(place, rowDrafts(dataset)).keys()][0] : undefined);
  const run = useRef(open);
  run.current = open;
  useEffect(() => {
    const row = rows.find(({ _id }) => _id === kept.current);
    if (row === undefined && kept.current !== "new") return;
    kept.current = undefined;
    run.current(row);
  }, [rows]);
}
