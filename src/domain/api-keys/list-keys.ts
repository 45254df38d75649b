import type { Door } from "../../db/pool/database.ts";
import type { Service } from "../operation/service/service.ts";
import type { ApiKey } from "./api-key.ts";

/** The keys of the project behind the door, newest first, revoked ones last. */
export async function listKeys(service: Service, door: Door, projectId: string): Promise<ApiKey[]> {
  return await service.db.behind(door).query<ApiKey>(
    `SELECT id, name, permissions, created_at AS "createdAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"
     FROM api_key WHERE project_id = $1 ORDER BY revoked_at IS NOT NULL, id DESC`,
    [projectId],
  );
}
