import type { Role } from "../../../core/permission.ts";
import { record } from "../../operation/audit/record.ts";
import type { Service } from "../../operation/service/service.ts";
import { managerDoor } from "../../tenancy/person-door.ts";
import { lockProject, mayManage } from "../members/lock-project.ts";

/** Ends an open invitation; one that is over already is no error. */
export async function withdrawInvitation(
  service: Service,
  input: { projectId: string; actor: string; invitationId: string },
): Promise<void> {
  const { projectId, actor, invitationId } = input;
  await service.db.behind(managerDoor({ personId: actor, projectId })).transaction(async (tx) => {
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
}
