import { notFound } from "../../core/refusal.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { personOperation } from "../operation/callers.ts";
import { revokeAuthorizations } from "../projects/members/revoke-authorizations.ts";
import { projectIdsOf } from "../tenancy/list-projects.ts";

/**
 * Revokes one of a person's own authorizations; its tokens are refused from the next request on, on every instance.
 */
export const revokeAccess = personOperation({
  name: "grants.revoke",
  async run({ service, db, caller }, input: { projectId: string; authorizationId: string }) {
    const personId = caller.person.id;
    const ended = await db
      .behind(serviceDoor(input.projectId))
      .transaction((tx) =>
        revokeAuthorizations(service, tx, { ...input, personId, actor: personId, why: "person" }),
      );
    if (ended.length === 0) throw notFound("authorization");
  },
});

/**
 * Revokes everything that a person granted to one application, in all of their projects, and deletes pending codes.
 */
export const revokeAllAccess = personOperation({
  name: "grants.revoke_all",
  async run({ service, db, caller }, { clientId }: { clientId: string }) {
    const personId = caller.person.id;
    for (const projectId of await projectIdsOf(db, personId)) {
      await db.behind(serviceDoor(projectId)).transaction(async (tx) => {
        // codes first: a concurrent exchange has then either failed or made its authorization
        await tx.query(
          `DELETE FROM authorization_code
         WHERE project_id = $1 AND person_id = $2 AND client_id = $3 AND consumed_at IS NULL`,
          [projectId, personId, clientId],
        );
        const living = await tx.query<{ id: string }>(
          `SELECT id FROM "authorization"
         WHERE project_id = $1 AND person_id = $2 AND client_id = $3 AND revoked_why IS NULL ORDER BY id`,
          [projectId, personId, clientId],
        );
        for (const { id: authorizationId } of living) {
          const one = { projectId, personId, authorizationId, actor: personId, why: "person" as const };
          await revokeAuthorizations(service, tx, one);
        }
      });
    }
  },
});
