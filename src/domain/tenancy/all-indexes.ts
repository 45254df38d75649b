import type { Database } from "../../db/pool/database.ts";

/**
 * What concerns the indexes of fields of all projects. Reads the tables of schema `store`, because the wall shows only one
 * project.
 */

/** An index that the service dropped by itself. */
export interface DroppedIndex {
  projectId: string;
  field: string;
  kind: string;
}

/** Returns the projects with indexes that are to be built, or to be removed. */
export const projectsToIndex = async (db: Database): Promise<string[]> =>
  (
    await db.visitAll<{ id: string }>(
      "SELECT DISTINCT project_id AS id FROM store.field_index WHERE built_at IS NULL OR dropped_at IS NOT NULL ORDER BY 1",
    )
  ).map(({ id }) => id);

/** Returns how many leads all indexes have together. */
export async function indexedLeads(db: Database): Promise<number> {
  const [row] = await db.visitAll<{ leads: number }>(
    "SELECT coalesce(sum(leads), 0)::bigint AS leads FROM store.field_index WHERE dropped_at IS NULL",
  );
  return row?.leads ?? 0;
}

const UNUSED_SINCE = "coalesce(used_at, built_at, created_at)";
const UNUSED = `NOT requested AND dropped_at IS NULL AND ${UNUSED_SINCE} < moment() - make_interval(days => $1)`;

const FIND_UNUSED = `SELECT project_id AS "projectId", id, leads FROM store.field_index
  WHERE ${UNUSED} AND ($2::text IS NULL OR project_id = $2) ORDER BY ${UNUSED_SINCE}, id`;

/** The condition is repeated: a filter may have used one since. */
const DROP = `UPDATE store.field_index SET dropped_at = moment() WHERE ${UNUSED} AND project_id = $2 AND id = ANY ($3)
  RETURNING project_id AS "projectId", field, kind`;

interface UnusedIndex {
  projectId: string;
  id: number;
  leads: number;
}

/**
 * Drops indexes that the service made itself and that were not used for so many days, least recently used first: of one
 * project or of all, so many, until they free so many leads, or all of them.
 */
export async function dropUnused(
  db: Database,
  days: number,
  { projectId, leads, most }: { projectId?: string; leads?: number; most?: number } = {},
): Promise<DroppedIndex[]> {
  const unused = (await db.visitAll<UnusedIndex>(FIND_UNUSED, [days, projectId ?? null])).slice(0, most);
  const wanted: UnusedIndex[] = [];
  for (let freed = 0; wanted.length < unused.length && (leads === undefined || freed < leads); ) {
    const next = unused[wanted.length] as UnusedIndex;
    wanted.push(next);
    freed += next.leads;
  }
  const dropped: DroppedIndex[] = [];
  for (const [id, those] of Map.groupBy(wanted, (each) => each.projectId))
    dropped.push(...(await db.query<DroppedIndex>(DROP, [days, id, those.map((each) => each.id)])));
  return dropped;
}

/** The statement that brings the planner's statistics of a table up to date, unless another one does that now. */
export const analyzeSql = (table: string): string => `ANALYZE (SKIP_LOCKED) store.${table}`;

/** The rows of a table as of its last ANALYZE. */
export const TABLE_ROWS = `SELECT greatest(reltuples, 0)::float8 AS rows FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'store' AND c.relname = $1`;
