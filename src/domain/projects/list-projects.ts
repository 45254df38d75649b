import type { Role } from "../../core/permission.ts";
import type { Service } from "../service.ts";

/** A project as one of its members sees it. */
export interface OwnProject {
  id: string;
  name: string;
  role: Role;
}

/** The projects of a person, by name. It visits each of them, so it reads beside the wall. */
export async function listProjects(service: Service, personId: string): Promise<OwnProject[]> {
  return await service.db.query<OwnProject>(
    `SELECT p.project_id AS id, p.name, m.role FROM membership m
     JOIN store.project p ON p.project_id = m.project_id
     WHERE m.person_id = $1 ORDER BY lower(p.name), p.project_id`,
    [personId],
  );
}
