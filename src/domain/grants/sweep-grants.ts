import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";
import { batchOf, inBatches } from "../sql/in-batches.ts";
import { everyProject } from "../tenancy/every-project.ts";

// In this order: an authorization is deleted once it has no access tokens left.
const OVER = [
  batchOf("access_token", "hash", "project_id = $1 AND expires_at <= moment()"),
  // Kept a day longer than they are valid, to distinguish "code expired" and "code already used".
  batchOf("authorization_code", "hash", "project_id = $1 AND expires_at <= moment() - interval '1 day'"),
  batchOf(
    '"authorization"',
    "id",
    `project_id = $1 AND refresh_expires_at <= moment() AND NOT EXISTS
      (SELECT FROM access_token t WHERE t.project_id = $1 AND t.authorization_id = "authorization".id)`,
  ),
];

/**
 * Deletes expired codes, access tokens and authorizations. A revoked authorization is kept until its refresh token
 * would have expired, to detect replays. One project at a time, because no index spans projects.
 */
export async function sweepGrants(service: Service): Promise<void> {
  for await (const projectId of everyProject(service.db)) {
    const db = service.db.behind(serviceDoor(projectId));
    for (const statement of OVER) await inBatches(() => db.query(statement, [projectId], { prepare: true }));
  }
}
