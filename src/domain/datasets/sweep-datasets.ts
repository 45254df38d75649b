import type { ProjectDb, Transaction } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";
import { everyProject } from "../tenancy/every-project.ts";
import { type Dropped, findDataset } from "./definition/dataset.ts";

const BATCH = 1_000;

const WAITING = `SELECT id, deleted_at IS NOT NULL AS deleted FROM dataset
  WHERE project_id = $1 AND (deleted_at IS NOT NULL OR dropped <> '[]')`;

/**
 * Deletes what deleted datasets and dropped columns left in rows, in batches; the next call continues after a
 * crash.
 */
export async function sweepDatasets(service: Service): Promise<void> {
  for await (const projectId of everyProject(service.db)) {
    const db = service.db.behind(serviceDoor(projectId));
    for (const { id, deleted } of await db.query<{ id: string; deleted: boolean }>(WAITING, [projectId])) {
      if (deleted) while (await db.transaction((tx) => eraseLocked(tx, projectId, id)));
      else await stripRows(db, projectId, id);
    }
  }
}

/** A batch, after the lock that writers and erasures of people take before a dataset's rows, too. */
async function eraseLocked(tx: Transaction, projectId: string, id: string): Promise<boolean> {
  await tx.query("SELECT FROM dataset WHERE project_id = $1 AND id = $2 FOR NO KEY UPDATE", [projectId, id]);
  return await eraseDataset(tx, projectId, id, BATCH);
}

/**
 * Deletes a batch of rows of a deleted, locked dataset, and with the last row the dataset. Returns whether more may
 * remain.
 */
export async function eraseDataset(
  tx: Transaction,
  projectId: string,
  id: string,
  batch: number,
): Promise<boolean> {
  const gone = await tx.query(
    `DELETE FROM dataset_row WHERE project_id = $1 AND dataset_id = $2 AND id IN (
       SELECT id FROM dataset_row WHERE project_id = $1 AND dataset_id = $2 ORDER BY id LIMIT $3) RETURNING 1`,
    [projectId, id, batch],
  );
  if (gone.length >= batch) return true;
  await tx.query("DELETE FROM dataset WHERE project_id = $1 AND id = $2 AND deleted_at IS NOT NULL", [
    projectId,
    id,
  ]);
  return false;
}

/** Queries planned before a change may still read what it dropped. */
const GRACE_MS = 60_000;

const STRIP = `WITH batch AS (
    SELECT id FROM dataset_row WHERE project_id = $1 AND dataset_id = $2 AND id > $3 ORDER BY id LIMIT ${BATCH}
  ), stripped AS (
    UPDATE dataset_row r SET cells = cells - $4::text[],
      link0 = CASE WHEN $5 THEN NULL ELSE link0 END, link1 = CASE WHEN $6 THEN NULL ELSE link1 END
    FROM batch WHERE r.project_id = $1 AND r.dataset_id = $2 AND r.id = batch.id
      AND (cells ?| $4::text[] OR ($5 AND link0 IS NOT NULL) OR ($6 AND link1 IS NOT NULL))
    RETURNING 1
  ), freed AS (
    DELETE FROM dataset_unique WHERE project_id = $1 AND dataset_id = $2 AND slot = ANY ($4::text[])
      AND row_id IN (SELECT id FROM batch) RETURNING 1
  ) SELECT max(id) AS last, count(*)::integer AS rows FROM batch`;

async function stripRows(db: ProjectDb, projectId: string, id: string): Promise<void> {
  let over: Set<string> | undefined;
  for (let after: string | null = ""; after !== null; ) {
    const from: string = after;
    after = await db.transaction(async (tx) => {
      const { dropped, now } = await findDataset(tx, projectId, id, "lock");
      over ??= new Set(dropped.filter(({ at }) => Date.parse(at) + GRACE_MS < Date.parse(now)).map(nameOf));
      // Slots and sides that are in use again stay.
      const going = dropped.filter((each) => over?.has(nameOf(each)) === true);
      if (going.length === 0) return null;
      const [batch] = await tx.query<{ last: string | null; rows: number }>(STRIP, [
        ...[projectId, id, from, going.flatMap(({ slot }) => slot ?? [])],
        ...[going.some(({ side }) => side === 0), going.some(({ side }) => side === 1)],
      ]);
      if (batch?.rows === BATCH) return batch.last;
      const left = dropped.filter((each) => !going.includes(each));
      await tx.query("UPDATE dataset SET dropped = $3::jsonb WHERE project_id = $1 AND id = $2", [
        projectId,
        id,
        JSON.stringify(left),
      ]);
      return null;
    });
  }
}

const nameOf = ({ slot, side, at }: Dropped): string => `${slot} ${side} ${at}`;
