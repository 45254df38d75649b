import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";
import { batchOf, inBatches } from "../sql/in-batches.ts";
import { everyProject } from "../tenancy/every-project.ts";

// In this order: an authorization goes when none of its access tokens is left.
const OVER = [
  batchOf("access_token", "hash", "project_id = $1 AND expires_at <= moment()"),
  // A day longer than they live, so that "code expired" and "code already used" can be told.
  batchOf("authorization_code", "hash", "project_id = $1 AND expires_at <= moment() - interval '1 day'"),
  batchOf(
    '"authorization"',
    "id",
    `project_id = $1 AND refresh_expires_at <= moment() AND NOT EXISTS
      (SELECT FROM access_token t WHERE t.project_id = $1 AND t.authorization_id = "authorization".id)`,
  ),
];

/**
 * Removes codes, access tokens and authorizations that are over, so that storage holds what can still be used;
 * a revoked authorization stays until its refresh token would have ended, to tell replays. Project by project,
 * because no index crosses them.
 */
export async function sweepGrants(service: Service): Promise<void> {
  for await (const projectId of everyProject(service.db)) {
    const db = service.db.behind(serviceDoor(projectId));
    for (const statement of OVER)
      await inBatches(() => db.query(statement, [projectId], { prepare: "always" }));
  }
}
