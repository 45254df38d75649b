import { type Permission, permissionsOfRole, type Role } from "../../core/permission.ts";
import { managerOperation } from "../operation/callers.ts";
import type { ApiKey } from "./api-key.ts";

const KEYS = `SELECT id, name, permissions, export_withheld AS "exportWithheld", created_at AS "createdAt",
    last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"
  FROM api_key WHERE project_id = $1 ORDER BY revoked_at IS NOT NULL, id DESC`;

const ROLE = "SELECT role FROM membership WHERE project_id = $1 AND person_id = $2";

/** The keys of a project, newest first, revoked ones last, and the permissions that the caller may give to a new one. */
export const listKeys = managerOperation({
  name: "keys.list",
  async run({
    db,
    caller: { projectId, personId },
  }): Promise<{ keys: ApiKey[]; grantable: readonly Permission[] }> {
    const keys = await db.query<ApiKey>(KEYS, [projectId]);
    const [member] = await db.query<{ role: Role }>(ROLE, [projectId, personId]);
    return { keys, grantable: member === undefined ? [] : permissionsOfRole(member.role) };
  },
});
