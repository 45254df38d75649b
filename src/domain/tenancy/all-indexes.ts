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
export const projectsToIndex = async (db: Pick<Database, "visitAll">): Promise<string[]> =>
  (
    await db.visitAll<{ id: string }>(
      "SELECT DISTINCT project_id AS id FROM store.field_index WHERE built_at IS NULL OR dropped_at IS NOT NULL ORDER BY 1",
    )
  ).map(({ id }) => id);

/** Returns how many leads all indexes have together. */
export async function indexedLeads(db: Pick<Database, "visitAll">): Promise<number> {
  const [row] = await db.visitAll<{ leads: number }>(
    "SELECT coalesce(sum(leads), 0)::bigint AS leads FROM store.field_index WHERE dropped_at IS NULL",
  );
  return row?.leads ?? 0;
}

const DROP_UNUSED = `UPDATE store.field_index i SET dropped_at = moment() FROM (
    SELECT project_id, id, sum(leads) OVER (ORDER BY unused_since, id) - leads AS freed,
      row_number() OVER (ORDER BY unused_since, id) AS place
    FROM (SELECT *, coalesce(used_at, built_at, created_at) AS unused_since FROM store.field_index) AS known
    WHERE NOT requested AND dropped_at IS NULL AND unused_since < moment() - make_interval(days => $1)
      AND ($2::text IS NULL OR project_id = $2)
  ) AS unused
  WHERE i.project_id = unused.project_id AND i.id = unused.id AND i.dropped_at IS NULL
    AND ($3::bigint IS NULL OR freed < $3) AND ($4::integer IS NULL OR place <= $4)
  RETURNING i.project_id AS "projectId", i.field, i.kind`;

/**
 * Drops indexes that the service made itself and that were not used for so many days, least recently used first: of one
 * project or of all, so many, until they free so many leads, or all of them.
 */
export const dropUnused = async (
  db: Pick<Database, "visitAll">,
  days: number,
  { projectId, leads, most }: { projectId?: string; leads?: number; most?: number } = {},
): Promise<DroppedIndex[]> =>
  await db.visitAll(DROP_UNUSED, [days, projectId ?? null, leads ?? null, most ?? null]);

/** The statement that brings the planner's statistics of a table of values up to date. */
export const analyzeSql = (table: string): string => `ANALYZE store.${table}`;
