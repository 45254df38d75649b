import type { Scope, Writes } from "../../core/permission.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { personOperation } from "../operation/callers.ts";
import { listProjects } from "../tenancy/list-projects.ts";

/** An application's access that a person granted and has not revoked. */
export interface LivingAuthorization {
  id: string;
  projectId: string;
  projectName: string;
  clientId: string;
  clientName: string;
  /** Its registered redirect URIs; null if the application has been deleted. */
  redirectUris: string[] | null;
  scopes: Scope[];
  writes: Writes;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const LIST = `SELECT a.id, a.project_id AS "projectId", a.client_id AS "clientId", a.client_name AS "clientName",
    c.metadata->'redirect_uris' AS "redirectUris", a.scopes, a.writes, a.created_at AS "createdAt", a.last_used_at AS "lastUsedAt"
  FROM "authorization" a JOIN membership m ON m.project_id = a.project_id AND m.person_id = a.person_id AND m.created_at <= a.created_at
  LEFT JOIN client c ON c.id = a.client_id
  WHERE a.project_id = $1 AND a.person_id = $2 AND a.revoked_why IS NULL AND a.refresh_expires_at > moment()
  ORDER BY a.id DESC`;

/** A person's active authorizations, newest first in each project. */
export const listAuthorizations = personOperation({
  name: "grants.list",
  async run({ db, caller }): Promise<LivingAuthorization[]> {
    const personId = caller.person.id;
    const projects = await listProjects(db, personId);
    const lists = await Promise.all(
      projects.map(async ({ id, name }) => {
        const rows = await db.behind(serviceDoor(id)).query<LivingAuthorization>(LIST, [id, personId]);
        return rows.map((row) => ({ ...row, projectName: name }));
      }),
    );
    return lists.flat();
  },
});
