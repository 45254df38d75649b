import { useCallback, useMemo, useState } from "react";
import { asWritten, draftsUnder, dropDraft, keepDraft } from "../drafts/draft-store.ts";
import { useUnsaved } from "../drafts/unsaved.ts";
import { useDraftPlace } from "../drafts/use-draft.ts";

/** A value of a cell that is not saved: on its way, or refused, or kept from before a reload. */
export interface UnsavedCell {
  record: string;
  /** What the record is called, for messages. */
  name: string;
  field: string;
  /** What was typed, as the cell's editor takes it. */
  input: unknown;
  /** The version of the record and its value that the person saw meanwhile. */
  version: number;
  was: unknown;
  state: "saving" | "failed";
  /** Why it is not saved; empty if it was only typed, before a reload. */
  message: string;
  /** Whether the same may succeed when it is sent again. */
  again: boolean;
}

/** The cell whose editor should open, and whether the person asked for it. */
interface Wanted {
  key: string;
  isAsked: boolean;
}

export const cellKey = (record: string, field: string): string => `${record} ${field}`;

/**
 * The values of a table's cells that are not saved, by `cellKey`. They are drafts too (`list` names the table): a reload
 * shows them again. `wanted` is the cell whose editor should open, because its value was refused or kept.
 */
export function useUnsavedCells(list: string) {
  const place = useDraftPlace();
  const prefix = `cell/${list}/`;
  const [cells, setCells] = useState<ReadonlyMap<string, UnsavedCell>>(() => {
    const kept = [...draftsUnder(place, prefix)];
    return new Map(
      kept.map(([key, draft]) => [
        key,
        { ...asWritten<UnsavedCell>(draft), state: "failed", message: "", again: true },
      ]),
    );
  });
  const [wanted, setWanted] = useState<Wanted | undefined>(() => {
    const key = cells.keys().next().value;
    return key === undefined ? undefined : { key, isAsked: false };
  });

  const put = useCallback(
    (cell: UnsavedCell) => {
      const key = cellKey(cell.record, cell.field);
      keepDraft(place, prefix + key, cell);
      setCells((all) => new Map(all).set(key, cell));
      if (cell.state === "failed") setWanted({ key, isAsked: false });
    },
    [place, prefix],
  );
  /** Keeps what is being typed, for a reload. */
  const keep = useCallback(
    (cell: UnsavedCell) => keepDraft(place, prefix + cellKey(cell.record, cell.field), cell),
    [place, prefix],
  );
  const forget = useCallback(
    (record: string, field: string) => {
      const key = cellKey(record, field);
      dropDraft(place, prefix + key);
      setCells((all) => {
        const next = new Map(all);
        return next.delete(key) ? next : all;
      });
    },
    [place, prefix],
  );
  const open = useCallback(
    (record: string, field: string) => setWanted({ key: cellKey(record, field), isAsked: true }),
    [],
  );
  const opened = useCallback(() => setWanted(undefined), []);
  const discard = useCallback(() => {
    for (const key of draftsUnder(place, prefix).keys()) dropDraft(place, prefix + key);
    setCells(new Map());
  }, [place, prefix]);
  useUnsaved(cells.size > 0, discard);
  return useMemo(
    () => ({ cells, wanted, put, keep, forget, open, opened }),
    [cells, wanted, put, keep, forget, open, opened],
  );
}

export type UnsavedCells = ReturnType<typeof useUnsavedCells>;
