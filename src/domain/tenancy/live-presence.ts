import type { Database } from "../../db/pool/database.ts";

/** How long a lead counts as open after the panel reported it last. */
export const PRESENT_FOR = "60 seconds";

/** The most viewers of a project that are reported. */
const MOST = 2_000;

/** Former members are left out. */
const PRESENT = `SELECT p.n::integer AS n, coalesce(seen.json, '[]') AS json
  FROM unnest($1::text[]) WITH ORDINALITY AS p (project_id, n)
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object('lead_id', v.lead_id, 'id', v.person_id, 'name', v.name))::text AS json
    FROM (
      SELECT DISTINCT e.lead_id, e.person_id, person.name FROM store.presence e
      JOIN leadgate.membership m ON m.person_id = e.person_id AND m.project_id = e.project_id
      JOIN leadgate.person ON person.id = e.person_id
      WHERE e.project_id = p.project_id AND e.seen_at > leadgate.moment() - $2::interval
      ORDER BY e.lead_id, person.name, e.person_id LIMIT ${MOST}
    ) AS v
  ) AS seen`;

/**
 * Returns who has which leads open, for each project the JSON text of a list of {lead_id, id, name}. It is one statement
 * for all projects.
 */
export async function readPresence(db: Database, projects: readonly string[]): Promise<string[]> {
  const rows = await db.together<{ n: number; json: string }>([
    { text: PRESENT, values: [projects, PRESENT_FOR] },
  ]);
  const found = projects.map(() => "[]");
  for (const { n, json } of rows) found[n - 1] = json;
  return found;
}
