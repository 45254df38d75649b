import { useCallback, useRef } from "react";
import { ApiError } from "../api/api-error.ts";
import { type Api, useApi } from "../api/queries.ts";
import { sameValue } from "./value.ts";

/** How the API reads and writes records of a kind: leads, or rows of a dataset. */
export interface RecordKind<R> {
  idOf(record: R): string;
  versionOf(record: R): number;
  valueIn(record: R, field: string): unknown;
  read(call: Api["call"], record: R): Promise<R>;
  /** Sets one field of this version of the record. */
  write(call: Api["call"], record: R, field: string, value: unknown, ifMatch: number): Promise<R>;
}

/** Another person changed the same field in the meantime. */
export interface Conflict<R> {
  /** The record as it is now, with their value. */
  record: R;
  field: string;
  theirs: unknown;
  mine: unknown;
}

/** The record as it is now. Nothing is written if another person set the field: to another value (a conflict) or to the same. */
export interface Saved<R> {
  record: R;
  written: boolean;
  conflict?: Conflict<R>;
}

/**
 * Saves one field of a record; `record` is what the person saw while editing. Edits of one record are sent one after another.
 * If its version is outdated, the value is written over the newer one unless that field changed too: then it is a conflict.
 * Throws the `ApiError` of a refused write.
 */
export function useSave<R>(
  kind: RecordKind<R>,
): (record: R, field: string, value: unknown) => Promise<Saved<R>> {
  const { call } = useApi();
  const latest = useRef(new Map<string, number>());
  const queue = useRef(new Map<string, Promise<unknown>>());
  return useCallback(
    (seen, field, value) => {
      const id = kind.idOf(seen);
      const write = (ifMatch: number) => kind.write(call, seen, field, value, ifMatch);
      const known = (saved: Saved<R>) => {
        latest.current.set(id, kind.versionOf(saved.record));
        return saved;
      };
      const save = async (): Promise<Saved<R>> => {
        try {
          const record = await write(Math.max(latest.current.get(id) ?? 0, kind.versionOf(seen)));
          return known({ record, written: true });
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 412) throw error;
        }
        const record = await kind.read(call, seen);
        const theirs = kind.valueIn(record, field);
        if (sameValue(theirs, kind.valueIn(seen, field)))
          return known({ record: await write(kind.versionOf(record)), written: true });
        if (sameValue(theirs, value)) return known({ record, written: false });
        return known({ record, written: false, conflict: { record, field, theirs, mine: value } });
      };
      const saving = (queue.current.get(id) ?? Promise.resolve()).then(save);
      queue.current.set(
        id,
        saving.catch(() => undefined),
      );
      return saving;
    },
    [kind, call],
  );
}
