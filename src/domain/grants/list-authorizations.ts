import type { Scope } from "../../core/permission.ts";
import { serviceDoor } from "../../db/project-door.ts";
import { listProjects } from "../projects/list-projects.ts";
import type { Service } from "../service.ts";

/** What a person granted to an application and has not taken back. */
export interface LivingAuthorization {
  id: string;
  projectId: string;
  projectName: string;
  clientName: string;
  scopes: Scope[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

const LIST = `SELECT id, project_id AS "projectId", client_name AS "clientName", scopes,
    created_at AS "createdAt", last_used_at AS "lastUsedAt"
  FROM "authorization" WHERE project_id = $1 AND person_id = $2 AND revoked_at IS NULL
    AND refresh_expires_at > moment() ORDER BY id DESC`;

/** A person's living authorizations, newest first in each project. One round trip for each of their projects. */
export async function listAuthorizations(service: Service, personId: string): Promise<LivingAuthorization[]> {
  const projects = await listProjects(service, personId);
  const lists = await Promise.all(
    projects.map(async ({ id, name }) => {
      const rows = await service.db.behind(serviceDoor(id)).query<LivingAuthorization>(LIST, [id, personId]);
      return rows.map((row) => ({ ...row, projectName: name }));
    }),
  );
  return lists.flat();
}
