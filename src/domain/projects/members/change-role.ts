import { manages, type Role } from "../../../core/permission.ts";
import { notFound } from "../../../core/refusal.ts";
import { record } from "../../operation/audit/record.ts";
import { managerOperation } from "../../operation/callers.ts";
import { keepOwner, lockProject, mayManage } from "./lock-project.ts";

/**
 * Gives a member another role, from the next request on, for their applications too. A member who no longer manages
 * the project loses the invitations that they sent.
 */
export const changeRole = managerOperation({
  name: "members.change_role",
  async run(
    { service, db, caller: { projectId, personId: actor } },
    { personId, role }: { personId: string; role: Role },
  ) {
    await db.transaction(async (tx) => {
      const roles = await lockProject(tx, projectId);
      const former = roles.get(personId);
      mayManage(roles.get(actor), former, role);
      if (former === undefined) throw notFound("member");
      if (former === role) return;
      keepOwner(roles.set(personId, role));
      await tx.query("UPDATE membership SET role = $3 WHERE project_id = $1 AND person_id = $2", [
        projectId,
        personId,
        role,
      ]);
      if (!manages(role)) {
        await tx.query("DELETE FROM invitation WHERE project_id = $1 AND invited_by = $2", [
          projectId,
          personId,
        ]);
      }
      const data = { role, former };
      await record(service, tx, { action: "member.role_changed", projectId, personId, actor, data });
    });
  },
});
