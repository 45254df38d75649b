import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Dataset, findDataset } from "../../datasets/definition/dataset.ts";
import type { Cell } from "../../datasets/rows/cell.ts";
import { fillComing, type RowPatch } from "../../datasets/rows/read-row.ts";
import { RowIdentityMap } from "../../datasets/rows/row-identity-map.ts";
import { saveRows } from "../../datasets/rows/save-rows.ts";
import { JobTaken, type RunningJob } from "../../jobs/job.ts";

const BATCH = 500;

type Values = Record<string, Cell | null>;

/** A row that the import created or changed; `now` is its current version, null if it is deleted. */
interface Touched {
  row_id: string;
  version: number;
  before: Values | null;
  after: Values;
  now: number | null;
}

interface Settled {
  row_id: string;
  kept: { reason: string; fields: string[] } | null;
}

/** From the end of the file to the start, so that a unique value is free before it is restored. */
const LATEST = `SELECT t.row_id, t.version, t.before, t.after, r.version AS now FROM import_row t
  LEFT JOIN dataset_row r ON r.project_id = $1 AND r.dataset_id = $3 AND r.id = t.row_id
  WHERE t.project_id = $1 AND t.import_id = $2 AND NOT t.undone AND t.kept IS NULL
  ORDER BY t.number DESC, t.row_id LIMIT ${BATCH}`;

const DELETE =
  "DELETE FROM dataset_row WHERE project_id = $1 AND dataset_id = $2 AND id = ANY ($3) RETURNING 1";

const SETTLE = `UPDATE import_row t SET undone = g.kept IS NULL, kept = g.kept
  FROM jsonb_to_recordset($3::jsonb) AS g (row_id text, kept jsonb)
  WHERE t.project_id = $1 AND t.import_id = $2 AND t.row_id = g.row_id`;

const COUNT = `UPDATE import SET undo = jsonb_build_object(
    'deleted', coalesce((undo -> 'deleted')::integer, 0) + $3, 'restored', coalesce((undo -> 'restored')::integer, 0) + $4,
    'left', coalesce((undo -> 'left')::integer, 0) + $5)
  WHERE project_id = $1 AND id = $2 AND state = 'undoing' RETURNING undo`;

/**
 * Undoes an import into a dataset in batches: created rows are deleted, changed rows get their old values. What was
 * edited since stays and is listed. After a crash it resumes where it stopped.
 */
export async function undoRows(
  { db, ref: { projectId }, signal }: RunningJob,
  id: string,
  datasetId: string,
): Promise<Record<string, unknown>> {
  for (let more = true; more; ) {
    if (signal.aborted) throw signal.reason as Error;
    more = await db.transaction((tx) => undoBatch(tx, projectId, id, datasetId));
  }
  return await db.transaction((tx) => counted(tx, [projectId, id, 0, 0, 0]));
}

async function undoBatch(
  tx: Transaction,
  projectId: string,
  id: string,
  datasetId: string,
): Promise<boolean> {
  const dataset = await findDataset(tx, projectId, datasetId, "lock");
  const touched = await tx.query<Touched>(LATEST, [projectId, id, datasetId]);
  const made = touched.filter(({ before }) => before === null);
  const going = made.filter(({ now, version }) => now === version).map((each) => each.row_id);
  const deleted = (await tx.query(DELETE, [projectId, datasetId, going])).length;
  const settled: Settled[] = made.map(({ row_id, now, version }) => ({
    row_id,
    kept: now === null || now === version ? null : { reason: "changed", fields: [] },
  }));
  const { restored, ...own } = await restore(
    tx,
    projectId,
    dataset,
    touched.filter(({ before }) => before !== null),
  );
  settled.push(...own.settled);
  await tx.query(SETTLE, [projectId, id, JSON.stringify(settled)]);
  const left = settled.filter(({ kept }) => kept !== null).length;
  await counted(tx, [projectId, id, deleted, restored, left]);
  return touched.length === BATCH;
}

/** Restores the old values of changed rows, each only if it still is what the import wrote. */
async function restore(
  tx: Transaction,
  projectId: string,
  dataset: Dataset,
  touched: readonly Touched[],
): Promise<{ restored: number; settled: Settled[] }> {
  const ids = touched.map(({ row_id }) => row_id);
  const columns = new Map(dataset.columns.map(({ slot, key }) => [slot, key]));
  const backs = touched.map(({ before }) => {
    const patch: RowPatch = new Map(Object.entries(before ?? {}).filter(([slot]) => columns.has(slot)));
    return { patch, unfit: fillComing(dataset, patch) };
  });
  const identityMap = new RowIdentityMap(dataset);
  await identityMap.load(
    tx,
    projectId,
    backs.map(({ patch }) => patch),
    ids,
  );
  let restored = 0;
  const settled = touched.map(({ row_id, after }, i): Settled => {
    const row = identityMap.rows.get(row_id);
    if (row === undefined) return { row_id, kept: { reason: "gone", fields: [] } };
    const slots = Object.keys(after);
    const left = slots.filter(
      (slot) => !columns.has(slot) || !isDeepStrictEqual(row.cells[slot] ?? null, after[slot] ?? null),
    );
    const { patch: back = new Map(), unfit = [] } = backs[i] ?? {};
    const patch: RowPatch = new Map(
      [...back].filter(([slot]) => !left.some((each) => isPartOf(dataset, slot, each))),
    );
    const faults = unfit.length > 0 ? unfit : identityMap.put(row, patch);
    if (faults.length > 0)
      return { row_id, kept: { reason: "does_not_fit", fields: faults.map(({ path }) => path) } };
    if (row.changed) restored += 1;
    const fields = left.map((slot) => columns.get(slot) ?? "").filter((key) => key !== "");
    return { row_id, kept: left.length > 0 ? { reason: "changed", fields } : null };
  });
  await saveRows(tx, projectId, identityMap);
  return { restored, settled };
}

/** Whether a slot is a column's, or that of its replacement in progress. */
const isPartOf = ({ change }: Dataset, slot: string, column: string): boolean =>
  slot === column || change?.columns[column]?.slot === slot;

/** Adds to the counts of the undo and returns them. */
async function counted(tx: Transaction, values: readonly unknown[]): Promise<Record<string, unknown>> {
  const [stored] = await tx.query<{ undo: Record<string, unknown> }>(COUNT, values);
  if (stored === undefined) throw new JobTaken("the undo is not this run's any more");
  return stored.undo;
}
