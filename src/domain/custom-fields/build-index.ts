import { setTimeout as sleep } from "node:timers/promises";
import { randomSecret } from "../../core/secret.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { ACTIVITY, OLDEST_RUNNING } from "../../db/pool/oldest-running.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";
import { everyProject } from "../tenancy/every-project.ts";

const BATCH = 5_000;
const AGAIN_MS = 100;

const UNBUILT = `SELECT key, index_name AS name FROM custom_field
  WHERE project_id = $1 AND index_name IS NOT NULL AND index_built_at IS NULL`;

/**
 * Writers that started before the field was marked may not have seen the mark: their leads are indexed after they
 * have ended.
 */
const BEFORE = "SELECT pg_current_xact_id()::text AS mine";
const ENDED = `SELECT ${OLDEST_RUNNING} > $1::xid8 AS ended`;

/** The lock only keeps leads from being erased meanwhile. A value that a writer has already put is kept. */
const FILL = `WITH batch AS MATERIALIZED (
    SELECT id, custom, created_at, deleted_at, merged_into_id FROM lead
    WHERE project_id = $1 AND id > $4 ORDER BY id LIMIT ${BATCH} FOR KEY SHARE
  ), put AS (
    INSERT INTO lead_number (project_id, field, lead_id, value, created_at)
    SELECT $1, $3, id, index_number(custom, $2), created_at FROM batch
    WHERE deleted_at IS NULL AND merged_into_id IS NULL AND index_number(custom, $2) IS NOT NULL
    ON CONFLICT DO NOTHING
  ) SELECT max(id) AS last, count(*)::integer AS leads FROM batch`;

const BUILT = `UPDATE custom_field SET index_built_at = moment()
  WHERE project_id = $1 AND key = $2 AND index_name = $3 AND index_built_at IS NULL`;

/** The names in `lead_number` that no field uses any more, read with one index jump per name. */
const LEFT = `WITH RECURSIVE name (field) AS (
    (SELECT field FROM lead_number WHERE project_id = $1 ORDER BY field LIMIT 1)
    UNION ALL
    SELECT (SELECT n.field FROM lead_number n WHERE n.project_id = $1 AND n.field > name.field ORDER BY n.field LIMIT 1)
    FROM name WHERE name.field IS NOT NULL
  ) SELECT field AS name FROM name WHERE field IS NOT NULL
    AND NOT EXISTS (SELECT FROM custom_field f WHERE f.project_id = $1 AND f.index_name = name.field)`;

const DROP = `WITH batch AS (
    SELECT lead_id FROM lead_number WHERE project_id = $1 AND field = $2 LIMIT ${BATCH}
  ), gone AS (
    DELETE FROM lead_number n USING batch WHERE n.project_id = $1 AND n.field = $2 AND n.lead_id = batch.lead_id
  ) SELECT count(*)::integer AS leads FROM batch`;

/** A new name for an index of the field, never used before. */
export const indexName = (key: string): string => `${key}#${randomSecret().slice(0, 8)}`;

/** Builds and removes indexes after the response; the next sweep continues what a killed process left. */
export function buildBehind(service: Service, projectId: string): void {
  buildIndexes(service, projectId).catch((error: unknown) =>
    service.log.warn({ err: error }, "indexes of fields are not built yet; the next sweep continues"),
  );
}

/**
 * Adds every number of the indexed fields to their indexes, in batches and while others write, and removes what
 * former indexes left. Running it twice at once is harmless.
 */
async function buildIndexes({ db }: Pick<Service, "db">, projectId: string): Promise<void> {
  const own = db.behind(serviceDoor(projectId), { lane: "long", owner: projectId });
  for (const { key, name } of await own.query<{ key: string; name: string }>(UNBUILT, [projectId]))
    await build(own, projectId, key, name);
  for (const { name } of await own.query<{ name: string }>(LEFT, [projectId])) {
    let left = BATCH;
    while (left === BATCH)
      [{ leads: left } = { leads: 0 }] = await own.query<{ leads: number }>(DROP, [projectId, name]);
  }
}

async function build(own: ProjectDb, projectId: string, key: string, name: string): Promise<void> {
  const [before] = await own.query<{ mine: string }>(BEFORE);
  const look = () => own.query<{ ended: boolean }>(ENDED, [before?.mine], { ahead: ACTIVITY });
  while ((await look())[0]?.ended !== true) await sleep(AGAIN_MS, undefined, { ref: false });
  for (let after: string | null = ""; after !== null; ) {
    const batches: { last: string | null; leads: number }[] = await own.query(FILL, [
      projectId,
      key,
      name,
      after,
    ]);
    const [batch] = batches;
    after = batch?.leads === BATCH ? batch.last : null;
  }
  await own.query(BUILT, [projectId, key, name]);
}

/** Continues the builds that other processes left unfinished. */
export async function sweepIndexes(service: Service): Promise<void> {
  for await (const projectId of everyProject(service.db)) await buildIndexes(service, projectId);
}
