import type { Role } from "../../core/permission.ts";
import { personOperation } from "../operation/callers.ts";
import { personDoor } from "../tenancy/person-door.ts";
import type { ProjectSettings } from "../tenancy/project-settings.ts";

/** Up to here, counting all leads is cheap: they are read from an index. */
export const MOST_COUNTED = 200_000;

/** An overview of a project. */
export interface ProjectGlance extends ProjectSettings {
  id: string;
  /** The role of the calling person. */
  role: Role;
  /** The roles that may connect applications. */
  connectRoles: Role[];
  /** Whether viewers may take leads out in bulk. */
  viewersExport: boolean;
  /** Whether writes that give a lead an e-mail or a phone of another lead are refused. */
  refusesShared: boolean;
  /** The number of leads, counted up to MOST_COUNTED. */
  leads: number;
  lastImport: { fileName: string; rows: number; state: "running" | "done" | "failed" } | null;
}

/** The overview of a project for a person with any role. */
export const describeProject = personOperation({
  name: "projects.describe",
  async run({ db, caller }, { projectId }: { projectId: string }): Promise<ProjectGlance | undefined> {
    const personId = caller.person.id;
    const rows = await db
      .behind(personDoor({ personId, projectId }, { any: ["leads:read"] }))
      .query<ProjectGlance>(
        `SELECT project_id AS id, name, timezone, default_country AS country, currency, connect_roles AS "connectRoles",
       viewers_export AS "viewersExport", refuses_shared AS "refusesShared",
       (SELECT role FROM membership WHERE person_id = $2 AND project_id = $1) AS role,
       (SELECT count(*)::int FROM (SELECT FROM lead WHERE project_id = $1 AND deleted_at IS NULL LIMIT ${MOST_COUNTED}) AS counted) AS leads,
       (SELECT json_build_object('fileName', file_name, 'rows', rows, 'state', state)
        FROM import WHERE project_id = $1 ORDER BY id DESC LIMIT 1) AS "lastImport"
     FROM project WHERE project_id = $1`,
        [projectId, personId],
      );
    return rows[0];
  },
});
