import { useCallback, useMemo, useRef, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useApi } from "../../api/queries.ts";
import { failed } from "../../parts/toast.ts";
import { sameValue } from "../../records/lead.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { useCellText } from "../model/cell-text.ts";
import type { Column, Dataset, Row } from "../model/dataset.ts";
import { faultText, REFUSALS } from "../model/dataset-faults.ts";
import { GRID_WORDS } from "../model/row-words.ts";
import { datasetPath } from "../model/use-datasets.ts";
import type { InputValue } from "./input-value.ts";
import { usePutRows, useRowsChanged } from "./use-rows.ts";

/** A value that was not saved, where it would stand, and why. */
export interface CellFault {
  row: string;
  column: Column;
  /** What somebody typed, as the cell's editor takes it; undefined for what it had no part in. */
  input: InputValue | undefined;
  message: string;
}

export const faultKey = (row: string, column: string): string => `${row} ${column}`;

/**
 * Saves a cell: shown at once, taken back and told at the cell where the service says no. Edits of one row go one after
 * another. A version that is over is no conflict as long as nobody else touched the cell.
 */
export function useSaveCell({ id }: Dataset) {
  const { get, send } = useApi();
  const locale = useLocale();
  const words = useWords(GRID_WORDS);
  const put = usePutRows(id);
  const changed = useRowsChanged(id);
  const textOf = useCellText();
  const [faults, setFaults] = useState<ReadonlyMap<string, CellFault>>(new Map());
  const latest = useRef(new Map<string, number>());
  const turns = useRef(new Map<string, Promise<unknown>>());

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
      const path = `${datasetPath(id)}/rows/${row._id}`;
      const body = { [column.key]: value };
      const write = (ifMatch: number) => send<Row>("PATCH", path, body, { ifMatch });
      try {
        const before = Math.max(latest.current.get(row._id) ?? 0, row._version);
        let now: Row;
        try {
          now = await write(before);
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 412) throw error;
          now = await get<Row>(path);
          if (sameValue(now[column.key], row[column.key])) now = await write(now._version);
          else if (!sameValue(now[column.key], value)) {
            const theirs = textOf(column, now[column.key]) || words.empty;
            tell({ row: row._id, column, input, message: words.wasChanged.replace("{now}", () => theirs) });
          }
        }
        latest.current.set(now._id, now._version);
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
    [id, send, get, tell, textOf, words, locale, putOne, changed],
  );

  const save = useCallback(
    (row: Row, column: Column, value: unknown, input?: InputValue) => {
      forget(row._id, column.key);
      if (sameValue(row[column.key], value)) return;
      putOne(row, (present) => ({ ...present, [column.key]: value }));
      const turn = (turns.current.get(row._id) ?? Promise.resolve()).then(() =>
        run(row, column, value, input),
      );
      turns.current.set(row._id, turn);
    },
    [forget, putOne, run],
  );
  return useMemo(() => ({ save, faults, tell, forget }), [save, faults, tell, forget]);
}
