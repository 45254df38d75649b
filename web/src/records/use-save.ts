import { useCallback, useRef } from "react";
import { ApiError } from "../api/api-error.ts";
import { type Api, useApi } from "../api/queries.ts";
import type { Written } from "../api/request.ts";
import { sameValue } from "./value.ts";

/** How the API reads and writes records of a kind: leads, or rows of a dataset. */
export interface RecordKind<R> {
  idOf(record: R): string;
  versionOf(record: R): number;
  valueIn(record: R, field: string): unknown;
  read(call: Api["call"], record: R): Promise<R>;
  /** Sets one field of this version of the record; also returns the change that it is. */
  write(
    write: Api["write"],
    record: R,
    field: string,
    value: unknown,
    ifMatch: number,
    reason?: string,
  ): Promise<Written<R>>;
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
  /** The change by which it can be undone. */
  change: string | null;
  conflict?: Conflict<R>;
}

/**
 * Saves one field of a record; `record` is what the person saw while editing. Edits of one record are sent one after another.
 * If its version is outdated, the value is written over the newer one unless another person set that field too: then it is
 * a conflict, also if this panel has saved other fields of the newer version meanwhile.
 * Throws the `ApiError` of a refused write.
 */
export function useSave<R>(
  kind: RecordKind<R>,
): (record: R, field: string, value: unknown, reason?: string) => Promise<Saved<R>> {
  const { call, write: send } = useApi();
  const latest = useRef(new Map<string, R>());
  const own = useRef(new Map<string, R>());
  const queue = useRef(new Map<string, Promise<unknown>>());
  return useCallback(
    (seen, field, value, reason) => {
      const id = kind.idOf(seen);
      const write = async (ifMatch: number): Promise<Saved<R>> => {
        const { answer: record, change } = await kind.write(send, seen, field, value, ifMatch, reason);
        own.current.set(`${id} ${field}`, record);
        return { record, written: true, change };
      };
      /** Whether nobody else set the field after what the person saw: it has that value, or the one sent from here since. */
      const isAsSeen = (now: R): boolean => {
        const mine = own.current.get(`${id} ${field}`);
        const value = kind.valueIn(now, field);
        if (sameValue(value, kind.valueIn(seen, field))) return true;
        return (
          mine !== undefined &&
          kind.versionOf(mine) > kind.versionOf(seen) &&
          sameValue(value, kind.valueIn(mine, field))
        );
      };
      const attempt = async (): Promise<Saved<R>> => {
        const known = latest.current.get(id);
        const isNewer = known !== undefined && kind.versionOf(known) > kind.versionOf(seen);
        try {
          return await write(kind.versionOf(isNewer && isAsSeen(known) ? known : seen));
        } catch (error) {
          if (!(error instanceof ApiError) || error.status !== 412) throw error;
        }
        const record = await kind.read(call, seen);
        if (isAsSeen(record)) return await write(kind.versionOf(record));
        const theirs = kind.valueIn(record, field);
        if (sameValue(theirs, value)) return { record, written: false, change: null };
        return { record, written: false, change: null, conflict: { record, field, theirs, mine: value } };
      };
      const save = async (): Promise<Saved<R>> => {
        const saved = await attempt();
        latest.current.set(id, saved.record);
        return saved;
      };
      const saving = (queue.current.get(id) ?? Promise.resolve()).then(save);
      queue.current.set(
        id,
        saving.catch(() => undefined),
      );
      return saving;
    },
    [kind, call, send],
  );
}
