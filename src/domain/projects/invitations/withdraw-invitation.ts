import type { Role } from "../../../core/permission.ts";
import { record } from "../../operation/audit/record.ts";
import { managerOperation } from "../../operation/callers.ts";
import { lockProject, mayManage } from "../members/lock-project.ts";

/** Withdraws an open invitation; one that is no longer open is not an error. */
export const withdrawInvitation = managerOperation({
  name: "members.withdraw_invitation",
  async run(
    { service, db, caller: { projectId, personId: actor } },
    { invitationId }: { invitationId: string },
  ) {
    await db.transaction(async (tx) => {
      const roles = await lockProject(tx, projectId);
      const [ended] = await tx.query<{ role: Role }>(
        "DELETE FROM invitation WHERE project_id = $1 AND id = $2 RETURNING role",
        [projectId, invitationId],
      );
      if (ended === undefined) return;
      mayManage(roles.get(actor), ended.role);
      const data = { invitation_id: invitationId, role: ended.role };
      await record(service, tx, { action: "member.uninvited", projectId, actor, data });
    });
  },
});
