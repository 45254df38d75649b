import { useCallback, useMemo, useState } from "react";
import type { Column, Dataset } from "../../../../src/contract/nouns/datasets/dataset.ts";
import { ApiError } from "../../api/api-error.ts";
import { failed } from "../../parts/toast.ts";
import { type RecordKind, useSave } from "../../records/use-save.ts";
import { sameValue } from "../../records/value.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { useCellText } from "../model/cell-text.ts";
import type { Row } from "../model/dataset.ts";
import { faultText, REFUSALS } from "../model/dataset-faults.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import type { InputValue } from "./input-value.ts";
import { usePutRows, useRowsChanged } from "./use-rows.ts";

/** A value that was not saved, its cell and the reason. */
export interface CellFault {
  row: string;
  column: Column;
  /** What the user typed, as the cell's editor takes it; undefined if the value was not typed. */
  input: InputValue | undefined;
  message: string;
}

const rowKind = (dataset: string): RecordKind<Row> => ({
  idOf: ({ _id }) => _id,
  versionOf: ({ _version }) => _version,
  valueIn: (row, column) => row[column],
  read: (call, { _id }) => call("GET", "/v1/datasets/{id}/rows/{row}", { params: { id: dataset, row: _id } }),
  write: (call, { _id }, column, value, ifMatch) =>
    call("PATCH", "/v1/datasets/{id}/rows/{row}", {
      params: { id: dataset, row: _id },
      body: { [column]: value },
      ifMatch,
    }),
});

export const faultKey = (row: string, column: string): string => `${row} ${column}`;

/** Saves a cell optimistically: if the service refuses the value, it is undone and the cell shows why. */
export function useSaveCell({ id }: Dataset) {
  const locale = useLocale();
  const words = useWords(ROW_WORDS);
  const put = usePutRows(id);
  const changed = useRowsChanged(id);
  const textOf = useCellText();
  const kind = useMemo(() => rowKind(id), [id]);
  const write = useSave(kind);
  const [faults, setFaults] = useState<ReadonlyMap<string, CellFault>>(new Map());

  const tell = useCallback((fault: CellFault) => {
    setFaults((all) => new Map(all).set(faultKey(fault.row, fault.column.key), fault));
  }, []);
  const forget = useCallback((row: string, column: string) => {
    setFaults((all) => {
      const next = new Map(all);
      return next.delete(faultKey(row, column)) ? next : all;
    });
  }, []);

  const putOne = useCallback(
    (row: Row, to: (present: Row) => Row) =>
      put((rows) => rows.map((each) => (each._id === row._id ? to(each) : each))),
    [put],
  );
  const run = useCallback(
    async (row: Row, column: Column, value: unknown, input: InputValue | undefined) => {
      try {
        const { record: now, conflict } = await write(row, column.key, value);
        if (conflict !== undefined) {
          const theirs = textOf(column, conflict.theirs) || words.empty;
          tell({ row: row._id, column, input, message: words.wasChanged.replace("{now}", () => theirs) });
        }
        putOne(row, () => now);
        changed();
      } catch (error) {
        putOne(row, (present) => ({ ...present, [column.key]: row[column.key] ?? null }));
        const fault =
          error instanceof ApiError && [400, 422].includes(error.status) ? error.details[0] : undefined;
        if (fault === undefined) failed(locale, error, REFUSALS[locale]);
        else tell({ row: row._id, column, input, message: faultText(locale, fault) });
      }
    },
    [write, tell, textOf, words, locale, putOne, changed],
  );

  const save = useCallback(
    (row: Row, column: Column, value: unknown, input?: InputValue) => {
      forget(row._id, column.key);
      if (sameValue(row[column.key], value)) return;
      putOne(row, (present) => ({ ...present, [column.key]: value }));
      void run(row, column, value, input);
    },
    [forget, putOne, run],
  );
  return useMemo(() => ({ save, faults, tell, forget }), [save, faults, tell, forget]);
}
