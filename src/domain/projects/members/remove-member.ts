import { notFound } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { record } from "../../operation/audit/record.ts";
import { managerOperation } from "../../operation/callers.ts";
import type { Service } from "../../operation/service/service.ts";
import { keepOwner, lockProject, mayManage } from "./lock-project.ts";
import { revokeAuthorizations } from "./revoke-authorizations.ts";

/** Removes a member from a project, with their authorizations and the invitations they sent. */
export const removeMember = managerOperation({
  name: "members.remove",
  async run({ service, db, caller: { projectId, personId: actor } }, { personId }: { personId: string }) {
    await db.transaction(async (tx) => {
      const roles = await lockProject(tx, projectId);
      const former = roles.get(personId);
      mayManage(roles.get(actor), former);
      if (former === undefined) throw notFound("member");
      roles.delete(personId);
      keepOwner(roles);
      await takeOut(service, tx, { projectId, actor, personId });
      await record(service, tx, {
        action: "member.removed",
        projectId,
        personId,
        actor,
        data: { role: former },
      });
    });
  },
});

/**
 * Deletes a membership and everything that depends on it, behind the project's door. The caller must check whether
 * that is allowed.
 */
export async function takeOut(
  service: Service,
  tx: Transaction,
  { projectId, actor, personId }: { projectId: string; actor: string; personId: string },
): Promise<void> {
  // membership first: a concurrent code exchange locks it, so its authorization is seen below
  await tx.query("DELETE FROM membership WHERE project_id = $1 AND person_id = $2", [projectId, personId]);
  await tx.query("DELETE FROM invitation WHERE project_id = $1 AND invited_by = $2", [projectId, personId]);
  await revokeAuthorizations(service, tx, { projectId, personId, actor, why: "removed" });
}
