import type { Queryable } from "../../../db/pool/database.ts";
import { record } from "../../operation/audit/record.ts";
import type { Service } from "../../operation/service/service.ts";

/**
 * Revokes a person's authorizations in a project: one, or all of them when the person leaves or the account
 * is claimed. Runs behind the project's door; the tokens fail from the next request on. Returns the revoked ids.
 */
export async function revokeAuthorizations(
  service: Service,
  db: Queryable,
  input: {
    projectId: string;
    personId: string;
    authorizationId?: string;
    actor: string;
    why: "person" | "removed" | "claimed";
  },
): Promise<string[]> {
  const { projectId, personId, authorizationId = null, actor, why } = input;
  const ended = await db.query<{ id: string }>(
    `UPDATE "authorization" SET revoked_at = moment(), revoked_why = $4
     WHERE project_id = $1 AND person_id = $2 AND ($3::text IS NULL OR id = $3) AND revoked_why IS NULL
     RETURNING id`,
    [projectId, personId, authorizationId, why],
  );
  for (const { id } of ended) {
    const data = { authorization_id: id, why };
    await record(service, db, { action: "authorization.revoked", projectId, personId, actor, data });
  }
  return ended.map(({ id }) => id);
}
