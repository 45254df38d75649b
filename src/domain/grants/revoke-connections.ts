import { record } from "../operation/audit/record.ts";
import { managerOperation } from "../operation/callers.ts";
import { lockProject, mayManage } from "../projects/members/lock-project.ts";

/** Which connections of a project to revoke: all those that fit; `others` are of roles that may not connect any more. */
export interface WhichConnections {
  authorizationId?: string;
  clientId?: string;
  personId?: string;
  others?: boolean;
}

const FIT = `($2::text IS NULL OR t.client_id = $2) AND ($3::text IS NULL OR t.person_id = $3)
  AND (NOT $4::boolean OR EXISTS (SELECT FROM membership m JOIN project p ON p.project_id = $1
    WHERE m.project_id = $1 AND m.person_id = t.person_id AND NOT m.role = ANY (p.connect_roles)))`;

const ONE = `SELECT client_id AS "clientId", person_id AS "personId" FROM "authorization"
  WHERE project_id = $1 AND id = $2 AND revoked_why IS NULL`;

const CODES = `DELETE FROM authorization_code t WHERE t.project_id = $1 AND t.consumed_at IS NULL AND ${FIT}`;

// Locked in the order of their ids, so that two such statements wait for each other instead of deadlocking.
const END = `WITH living AS (
    SELECT t.id FROM "authorization" t
    WHERE t.project_id = $1 AND t.revoked_why IS NULL AND ($5::text IS NULL OR t.id = $5) AND ${FIT}
    ORDER BY t.id FOR UPDATE
  ), ended AS (
    UPDATE "authorization" a SET revoked_at = moment(), revoked_why = 'manager' FROM living
    WHERE a.project_id = $1 AND a.id = living.id RETURNING a.id, a.person_id, a.client_id, a.client_name
  )
  SELECT id, person_id AS "personId", client_id AS "clientId", client_name AS "clientName" FROM ended ORDER BY id`;

interface Ended {
  id: string;
  personId: string;
  clientId: string;
  clientName: string;
}

/**
 * Revokes connections of a project's members, an owner's too, and deletes codes under way to the same; returns how many
 * it revoked. Their tokens fail from the next request on. The log names who revoked them and whose they were.
 */
export const revokeConnections = managerOperation({
  name: "grants.revoke_of_project",
  async run(
    { service, db, caller: { projectId, personId: actor } },
    which: WhichConnections,
  ): Promise<number> {
    const { authorizationId, others = false } = which;
    return await db.transaction(async (tx) => {
      mayManage((await lockProject(tx, projectId)).get(actor));
      const one =
        authorizationId === undefined
          ? which
          : (await tx.query<{ clientId: string; personId: string }>(ONE, [projectId, authorizationId]))[0];
      if (one === undefined) return 0;
      const fit = [projectId, one.clientId ?? null, one.personId ?? null, others];
      // codes first: a concurrent exchange has then either failed or made its authorization
      await tx.query(CODES, fit);
      const ended = await tx.query<Ended>(END, [...fit, authorizationId ?? null]);
      for (const { id, personId, clientId, clientName } of ended) {
        const data = { authorization_id: id, client_id: clientId, client_name: clientName, why: "manager" };
        await record(service, tx, { action: "authorization.revoked", projectId, personId, actor, data });
      }
      return ended.length;
    });
  },
});
