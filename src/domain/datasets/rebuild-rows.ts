import { type Fault, Refusal } from "../../core/refusal.ts";
import type { ProjectDb, Transaction } from "../../db/pool/database.ts";
import { type Dataset, findDataset } from "./definition/dataset.ts";
import { readCell } from "./rows/cell.ts";
import type { RowPatch } from "./rows/read-row.ts";
import { type MappedRow, RowIdentityMap } from "./rows/row-identity-map.ts";
import { saveRows } from "./rows/save-rows.ts";

/** How many rows one transaction rebuilds, so that writers wait at most some hundredths of a second. */
const BATCH = 500;
const EXAMPLES = 5;

const NEXT = `SELECT id FROM dataset_row WHERE project_id = $1 AND dataset_id = $2 AND id > $3 ORDER BY id LIMIT ${BATCH}`;

/** Examples of values that do not fit their new column; paths start with the row's id. */
export interface Unfit {
  examples: Fault[];
}

/**
 * Fills the new columns of a change in batches; concurrent writers fill them themselves. Returns examples of values
 * that do not fit, and stops at the first batch with one.
 */
export async function rebuildRows(
  db: ProjectDb,
  projectId: string,
  datasetId: string,
  token: string,
): Promise<Unfit> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const from: string = after;
    const batch = await db.transaction((tx) => rebuildBatch(tx, projectId, datasetId, token, from));
    if (batch.examples.length > 0) return batch;
    after = batch.last;
  }
  return { examples: [] };
}

async function rebuildBatch(
  tx: Transaction,
  projectId: string,
  datasetId: string,
  token: string,
  after: string,
): Promise<Unfit & { last: string | undefined }> {
  const dataset = await findDataset(tx, projectId, datasetId, "lock");
  if (dataset.change?.token !== token) throw changing();
  const ids = (await tx.query<{ id: string }>(NEXT, [projectId, datasetId, after])).map(({ id }) => id);
  await tx.query("UPDATE dataset SET change_beat = moment() WHERE project_id = $1 AND id = $2", [
    projectId,
    datasetId,
  ]);
  const rows = new RowIdentityMap(dataset);
  await rows.load(tx, projectId, [], ids);
  const patches = new Map(ids.map((id) => [id, coming(dataset, rows.rows.get(id))]));
  const identityMap = new RowIdentityMap(dataset);
  await identityMap.load(
    tx,
    projectId,
    [...patches.values()].map(({ patch }) => patch),
    ids,
  );
  const examples: Fault[] = [];
  for (const [id, { patch, faults }] of patches) {
    const row = identityMap.rows.get(id);
    if (row === undefined) continue;
    const wrong = faults.length > 0 ? faults : identityMap.put(row, patch);
    // A link must be rebuilt even if no cell changes.
    row.changed = true;
    for (const { path, code, message } of wrong)
      if (examples.length < EXAMPLES) examples.push({ path: `${id}.${path}`, code, message });
  }
  if (examples.length === 0) await saveRows(tx, projectId, identityMap, "untouched");
  return { examples, last: ids.length < BATCH ? undefined : ids.at(-1) };
}

/** Returns a row's values for the new columns. */
function coming(dataset: Dataset, row: MappedRow | undefined): { patch: RowPatch; faults: Fault[] } {
  const patch: RowPatch = new Map();
  const faults: Fault[] = [];
  for (const { slot } of dataset.columns) {
    const next = dataset.change?.columns[slot];
    if (next === undefined || row === undefined) continue;
    const reading = readCell(next, row.cells[slot], dataset, "text");
    if ("code" in reading) faults.push({ path: next.key, code: reading.code, message: reading.message });
    else patch.set(next.slot, reading.value);
  }
  return { patch, faults };
}

export const changing = (): Refusal =>
  new Refusal("conflict", "changing", "This dataset is already being changed. Try again when that is done.");
