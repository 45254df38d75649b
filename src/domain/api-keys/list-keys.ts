import { managerOperation } from "../operation/callers.ts";
import type { ApiKey } from "./api-key.ts";

/** The keys of a project, newest first, revoked ones last. */
export const listKeys = managerOperation({
  name: "keys.list",
  async run({ db, caller: { projectId } }): Promise<ApiKey[]> {
    return await db.query<ApiKey>(
      `SELECT id, name, permissions, created_at AS "createdAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"
     FROM api_key WHERE project_id = $1 ORDER BY revoked_at IS NOT NULL, id DESC`,
      [projectId],
    );
  },
});
