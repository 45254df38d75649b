import { useCallback, useMemo, useState } from "react";
import type { Column, Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { ApiError } from "../../api/api-error.ts";
import { useDone } from "../../changes/use-done.ts";
import { isolated } from "../../changes/use-kept-text.ts";
import { asWritten, draftsUnder, dropDraft, keepDraft } from "../../drafts/draft-store.ts";
import { useUnsaved } from "../../drafts/unsaved.ts";
import { useDraftPlace } from "../../drafts/use-draft.ts";
import { sentenceOf } from "../../parts/problem.tsx";
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
  /** The row as the user saw it, if the value was not refused: the same may succeed when it is sent again. */
  seen?: Row;
}

/** What is kept of a cell for a reload. */
interface KeptCell {
  input: InputValue;
  seen: Row;
}

const rowKind = (dataset: string): RecordKind<Row> => ({
  idOf: ({ _id }) => _id,
  versionOf: ({ _version }) => _version,
  valueIn: (row, column) => row[column],
  read: (call, { _id }) => call("GET", "/v1/datasets/{id}/rows/{row}", { params: { id: dataset, row: _id } }),
  write: (write, { _id }, column, value, ifMatch) =>
    write("PATCH", "/v1/datasets/{id}/rows/{row}", {
      params: { id: dataset, row: _id },
      body: { [column]: value },
      ifMatch,
    }),
});

export const faultKey = (row: string, column: string): string => `${row} ${column}`;

/** Saves a cell optimistically: if the service refuses the value, it is undone and the cell shows why. */
export function useSaveCell({ id, columns }: Dataset) {
  const place = useDraftPlace();
  const prefix = `cell/${id}/`;
  const locale = useLocale();
  const words = useWords(ROW_WORDS);
  const put = usePutRows(id);
  const changed = useRowsChanged(id);
  const textOf = useCellText();
  const done = useDone();
  const kind = useMemo(() => rowKind(id), [id]);
  const write = useSave(kind);
  const [faults, setFaults] = useState(() => keptFaults(draftsUnder(place, prefix), columns));
  const [wanted, setWanted] = useState(() => [...faults.values()][0]);
  const [saving, setSaving] = useState<ReadonlySet<string>>(new Set());

  const tell = useCallback((fault: CellFault) => {
    setFaults((all) => new Map(all).set(faultKey(fault.row, fault.column.key), fault));
  }, []);
  const forget = useCallback(
    (row: string, column: string) => {
      dropDraft(place, prefix + faultKey(row, column));
      setFaults((all) => {
        const next = new Map(all);
        return next.delete(faultKey(row, column)) ? next : all;
      });
    },
    [place, prefix],
  );
  /** Keeps what is being typed, for a reload. */
  const keep = useCallback(
    (seen: Row, column: Column, input: InputValue) =>
      keepDraft(place, prefix + faultKey(seen._id, column.key), { input, seen } satisfies KeptCell),
    [place, prefix],
  );
  const opened = useCallback(() => setWanted(undefined), []);
  const discard = useCallback(() => {
    for (const key of draftsUnder(place, prefix).keys()) dropDraft(place, prefix + key);
    setFaults(new Map());
  }, [place, prefix]);
  useUnsaved(faults.size > 0, discard);

  const putOne = useCallback(
    (row: Row, to: (present: Row) => Row) =>
      put((rows) => rows.map((each) => (each._id === row._id ? to(each) : each))),
    [put],
  );
  const run = useCallback(
    async (row: Row, column: Column, value: unknown, input: InputValue | undefined) => {
      const key = faultKey(row._id, column.key);
      setSaving((all) => new Set(all).add(key));
      if (input !== undefined) keep(row, column, input);
      try {
        const { record: now, change, conflict } = await write(row, column.key, value);
        if (conflict !== undefined) {
          const theirs = textOf(column, conflict.theirs) || words.empty;
          tell({ row: row._id, column, input, message: words.wasChanged.replace("{now}", () => theirs) });
        }
        putOne(row, () => now);
        changed();
        if (conflict === undefined) forget(row._id, column.key);
        if (change !== null) done(`${words.cellSaved}: ${isolated(column.label)}`, change, { name: "cell" });
      } catch (error) {
        putOne(row, (present) => ({ ...present, [column.key]: row[column.key] ?? null }));
        const fault =
          error instanceof ApiError && [400, 422].includes(error.status) ? error.details[0] : undefined;
        if (fault !== undefined)
          return tell({ row: row._id, column, input, message: faultText(locale, fault) });
        const message = sentenceOf(locale, error, REFUSALS[locale]);
        const unsaved = { row: row._id, column, input: input ?? String(value ?? ""), message, seen: row };
        tell(unsaved);
        setWanted(unsaved);
      } finally {
        setSaving((all) => new Set([...all].filter((each) => each !== key)));
      }
    },
    [write, tell, textOf, words, locale, putOne, changed, keep, forget, done],
  );

  const save = useCallback(
    (row: Row, column: Column, value: unknown, input?: InputValue) => {
      const seen = faults.get(faultKey(row._id, column.key))?.seen ?? row;
      forget(row._id, column.key);
      if (sameValue(seen[column.key], value)) return;
      putOne(seen, (present) => ({ ...present, [column.key]: value }));
      void run(seen, column, value, input);
    },
    [faults, forget, putOne, run],
  );
  return useMemo(
    () => ({ save, faults, saving, wanted, opened, tell, forget, keep }),
    [save, faults, saving, wanted, opened, tell, forget, keep],
  );
}

/** The cells that were not saved before a reload; those of columns that are gone are left out. */
const keptFaults = (
  kept: ReadonlyMap<string, unknown>,
  columns: readonly Column[],
): ReadonlyMap<string, CellFault> =>
  new Map(
    [...kept].flatMap(([key, draft]): [string, CellFault][] => {
      const { input, seen } = asWritten<KeptCell>(draft);
      const column = columns.find((each) => faultKey(seen._id, each.key) === key);
      return column === undefined ? [] : [[key, { row: seen._id, column, input, message: "", seen }]];
    }),
  );
