import type { ChangeDetail, ChangeRecord } from "../../../src/contract/changes/change.ts";
import type { Undo } from "../../../src/contract/changes/undo.ts";
import { ApiError } from "../api/api-error.ts";
import type { Api } from "../api/queries.ts";

/** A record of which an undo left something alone. */
export type KeptRecord = Pick<ChangeRecord, "kind" | "id" | "dataset_id" | "name" | "kept">;

/** What an undo did: the changes that it is, and what it kept. `kept` has the first records of `count`. */
export interface Undone {
  changes: readonly string[];
  /** The changes that it took back. */
  of: readonly string[];
  kept: readonly KeptRecord[];
  count: number;
  /** Whether its job ended before it was done. */
  stopped?: boolean;
}

/** How far the job of a large undo is. */
export interface Far {
  done: number;
  total: number;
}

const POLL = 1_000;

/** The records of which something is kept that an answer names. */
export const keptIn = (records: readonly KeptRecord[]): KeptRecord[] =>
  records.filter(({ kept }) => kept.length > 0);

/**
 * Undoes changes, the last one first, and waits for the jobs of large ones. What is undone already, for example by an
 * attempt without an answer, counts as undone. Leads keep their opt-outs unless it `clears` them.
 */
export async function undoChanges(
  api: Api,
  ids: readonly string[],
  onFar: (far: Far) => void = () => undefined,
  clears = false,
): Promise<Undone> {
  const all: Part[] = [];
  for (const id of ids.toReversed()) all.push(await undoOne(api, id, onFar, clears));
  return {
    of: ids,
    changes: all.flatMap(({ changes }) => changes),
    kept: all.flatMap(({ kept }) => kept),
    count: all.reduce((sum, { count }) => sum + count, 0),
    stopped: all.some(({ stopped }) => stopped === true),
  };
}

type Part = Omit<Undone, "of">;

async function undoOne(api: Api, id: string, onFar: (far: Far) => void, clears: boolean): Promise<Part> {
  let undo: Undo;
  try {
    undo = await api.call("POST", "/v1/changes/{id}/undo", {
      params: { id },
      body: clears ? { clear_opt_out: true } : {},
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "already_undone") throw error;
    const { undone_by: by } = await read(api, id);
    if (by === null) throw error;
    return await whenDone(api, by, () => undefined);
  }
  const { change_id: change, state, counts, records, total } = undo;
  if (state === "done")
    return { changes: change === null ? [] : [change], kept: keptIn(records), count: counts.kept ?? 0 };
  const by = await undoOf(api, await read(api, id));
  return await whenDone(api, by, (done) => onFar({ done, total }));
}

/** The undo of a change, once it has begun: that of an import is the import's, and ends with it. */
async function undoOf(api: Api, { id, about }: ChangeDetail): Promise<string> {
  for (;;) {
    const { undone_by: by } = await read(api, id);
    const { import_id: file } = about;
    const isOver =
      file === undefined ||
      (await api.call("GET", "/v1/imports/{id}", { params: { id: file } })).state !== "undoing";
    if (isOver && by !== null) return by;
    await pause();
  }
}

/** What an undo did, once it has ended. */
async function whenDone(api: Api, id: string, onFar: (done: number) => void): Promise<Part> {
  for (;;) {
    const change = await read(api, id);
    if (change.state === "done") {
      const undone = { changes: [id], kept: keptIn(change.records), count: change.counts.kept ?? 0 };
      return { ...undone, stopped: await isStopped(api, change) };
    }
    onFar(sizeOf(change));
    await pause();
  }
}

async function isStopped(api: Api, { job_id: id }: ChangeDetail): Promise<boolean> {
  if (id === null) return false;
  try {
    const { state } = await api.call("GET", "/v1/jobs/{id}", { params: { id } });
    return state === "failed" || state === "cancelled";
  } catch (error) {
    // the job of an import, whose own state says how far it got
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

const read = async (api: Api, id: string): Promise<ChangeDetail> =>
  await api.call("GET", "/v1/changes/{id}", { params: { id }, query: { limit: 100 } });

const sizeOf = ({ counts }: ChangeDetail): number =>
  Object.values(counts).reduce<number>((sum, count = 0) => sum + count, 0);

const pause = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve, POLL));
