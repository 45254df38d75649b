import type { Role } from "../../core/permission.ts";
import type { Database, Queryable, Transaction } from "../../db/pool/database.ts";
import { CHANGING_ALL } from "../../db/statements/session-settings.ts";
import type { ProjectSettings } from "./project-settings.ts";

/** A project as a member sees it. */
export interface OwnProject extends ProjectSettings {
  id: string;
  role: Role;
  /** Whether the project lets this role connect applications. */
  mayConnect: boolean;
  /** Whether it lets this role take leads out in bulk. */
  mayExport: boolean;
}

/** A person's projects by name. Reads the table `store.project` because the wall shows only one project. */
export async function listProjects(db: Database, personId: string): Promise<OwnProject[]> {
  return await db.visitAll<OwnProject>(
    `SELECT p.project_id AS id, p.name, m.role, p.timezone, p.default_country AS country, p.currency,
       m.role = ANY (p.connect_roles) AS "mayConnect", (m.role <> 'viewer' OR p.viewers_export) AS "mayExport"
     FROM membership m
     JOIN store.project p ON p.project_id = m.project_id
     WHERE m.person_id = $1 ORDER BY lower(p.name), p.project_id`,
    [personId],
  );
}

/** The ids of a person's projects, in order: transactions that lock several projects do it in this order. */
export async function projectIdsOf(db: Queryable, personId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    "SELECT project_id AS id FROM membership WHERE person_id = $1 ORDER BY project_id",
    [personId],
  );
  return rows.map(({ id }) => id);
}

/** The id of a project with exactly this name that the person owns, if there is one. */
export async function ownedProject(
  tx: Transaction,
  { personId, name }: { personId: string; name: string },
): Promise<string | undefined> {
  await tx.query(CHANGING_ALL.text);
  const rows = await tx.query<{ id: string }>(
    `SELECT p.project_id AS id FROM membership m JOIN store.project p ON p.project_id = m.project_id
     WHERE m.person_id = $1 AND m.role = 'owner' AND p.name = $2 ORDER BY p.project_id LIMIT 1`,
    [personId, name],
  );
  return rows[0]?.id;
}
