import type { Database } from "../../db/pool/database.ts";

/** Leads are counted up to this number; a higher count means that there are more. */
export const LEADS_GLANCED = 10_000;

/** What tells a project from others, and how much it holds. */
export interface OwnGlance {
  id: string;
  createdAt: Date;
  /** The name of the person who has owned it longest. */
  owner: string | null;
  /** The number of leads, at most one more than `LEADS_GLANCED`. */
  leads: number;
}

const PROJECTS = `SELECT p.project_id AS id, p.created_at AS "createdAt",
    (SELECT person.name FROM membership o JOIN person ON person.id = o.person_id
     WHERE o.project_id = p.project_id AND o.role = 'owner' ORDER BY o.created_at, o.person_id LIMIT 1) AS owner
  FROM membership m JOIN store.project p ON p.project_id = m.project_id WHERE m.person_id = $1`;

/** Counts the leads of the project in this parameter. */
const countSql = (
  n: number,
): string => `SELECT $${n}::text AS id, count(*)::integer AS leads FROM (SELECT true FROM store.lead
  WHERE project_id = $${n} AND deleted_at IS NULL AND merged_into_id IS NULL LIMIT ${LEADS_GLANCED + 1}) AS counted`;

/** The projects of a person at a glance. Reads tables of `store` because the wall shows only one project. */
export async function glanceProjects(db: Database, personId: string): Promise<OwnGlance[]> {
  const projects = await db.visitAll<Omit<OwnGlance, "leads">>(PROJECTS, [personId]);
  if (projects.length === 0) return [];
  const ids = projects.map(({ id }) => id);
  const counts = await db.query<{ id: string; leads: number }>(
    ids.map((_, i) => countSql(i + 1)).join(" UNION ALL "),
    ids,
  );
  const leads = new Map(counts.map((count) => [count.id, count.leads]));
  return projects.map((project) => ({ ...project, leads: leads.get(project.id) ?? 0 }));
}
