import { notFound } from "../../core/refusal.ts";
import type { Door } from "../../db/database.ts";
import type { Service } from "../service.ts";

/** Revokes a key; it is refused from the next request on, on every instance. Twice is no error. */
export async function revokeKey(service: Service, door: Door, projectId: string, id: string): Promise<void> {
  const rows = await service.db
    .behind(door)
    .query(
      `UPDATE api_key SET revoked_at = coalesce(revoked_at, moment()) WHERE project_id = $1 AND id = $2 RETURNING id`,
      [projectId, id],
    );
  if (rows.length === 0) throw notFound("API key");
}
