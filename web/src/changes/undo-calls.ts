import { isOngoing } from "../../../src/contract/lists/states.ts";
import type { ChangeRecord, Undo } from "../../../src/contract/nouns/change.ts";
import { ApiError } from "../api/api-error.ts";
import type { Api } from "../api/queries.ts";

/** A record of which an undo left something alone. */
export type KeptRecord = Pick<ChangeRecord, "kind" | "id" | "dataset_id" | "name" | "kept">;

/** What an undo did: the changes that it is, and what it kept. `kept` has the first records of `count`. */
export interface Undone {
  changes: readonly string[];
  kept: readonly KeptRecord[];
  count: number;
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
 * attempt without an answer, counts as undone.
 */
export async function undoChanges(
  api: Api,
  ids: readonly string[],
  onFar: (far: Far) => void = () => undefined,
): Promise<Undone> {
  const all: Undone[] = [];
  for (const id of ids.toReversed()) all.push(await undoOne(api, id, onFar));
  return {
    changes: all.flatMap(({ changes }) => changes),
    kept: all.flatMap(({ kept }) => kept),
    count: all.reduce((sum, { count }) => sum + count, 0),
  };
}

async function undoOne(api: Api, id: string, onFar: (far: Far) => void): Promise<Undone> {
  let undo: Undo;
  try {
    undo = await api.call("POST", "/v1/changes/{id}/undo", { params: { id }, body: {} });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const { undone_by: by } = await api.call("GET", "/v1/changes/{id}", {
      params: { id },
      query: { limit: 1 },
    });
    if (by === null) throw error;
    return await undoneBy(api, by, onFar);
  }
  const { change_id: change, job_id: job, state, counts, records } = undo;
  if (change !== null && job !== null && state === "running") return await undoneBy(api, change, onFar);
  return { changes: change === null ? [] : [change], kept: keptIn(records), count: counts.kept ?? 0 };
}

/** What an undo did, once it has ended. */
async function undoneBy(api: Api, id: string, onFar: (far: Far) => void): Promise<Undone> {
  for (;;) {
    const change = await api.call("GET", "/v1/changes/{id}", { params: { id }, query: { limit: 100 } });
    if (change.state === "done")
      return { changes: [id], kept: keptIn(change.records), count: change.counts.kept ?? 0 };
    if (change.job_id !== null) {
      const job = await api.call("GET", "/v1/jobs/{id}", { params: { id: change.job_id } });
      onFar({ done: job.done, total: job.total });
      if (!isOngoing(job.state)) continue;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}
