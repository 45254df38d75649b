import type { Database } from "../../db/pool/database.ts";

/** How long a lead counts as open after the panel reported it last. */
export const PRESENT_FOR = "60 seconds";

/** The most viewers of a project that are reported. */
const MOST = 2_000;

/** Former members are left out. */
const PRESENT = `SELECT project_id AS "projectId", json_agg(json_build_object('lead_id', lead_id, 'id', person_id, 'name', name)
    ORDER BY place)::text AS json
  FROM (
    SELECT *, row_number() OVER (PARTITION BY project_id ORDER BY lead_id, name, person_id) AS place FROM (
      SELECT DISTINCT e.project_id, e.lead_id, e.person_id, person.name FROM store.presence e
      JOIN leadgate.membership m ON m.person_id = e.person_id AND m.project_id = e.project_id
      JOIN leadgate.person ON person.id = e.person_id
      WHERE e.project_id = ANY ($1::text[]) AND e.seen_at > leadgate.moment() - $2::interval
    ) AS viewing
  ) AS placed WHERE place <= ${MOST} GROUP BY project_id`;

/**
 * Returns who has which leads open, for each project the JSON text of a list of {lead_id, id, name}. It is one statement
 * for all projects.
 */
export async function readPresence(db: Database, projects: readonly string[]): Promise<string[]> {
  const rows = await db.visitAll<{ projectId: string; json: string }>(PRESENT, [projects, PRESENT_FOR]);
  const found = new Map(rows.map(({ projectId, json }) => [projectId, json]));
  return projects.map((projectId) => found.get(projectId) ?? "[]");
}
