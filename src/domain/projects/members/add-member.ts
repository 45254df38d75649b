import type { Role } from "../../../core/permission.ts";
import { serviceDoor } from "../../../db/pool/project-door.ts";
import { record } from "../../operation/audit/record.ts";
import type { Service } from "../../operation/service/service.ts";
import { keepOwner, lockProject } from "./lock-project.ts";

/**
 * Makes a person a member of a project, or changes the role, for the operator; a project keeps at least one owner.
 */
export async function addMember(
  service: Service,
  input: { projectId: string; personId: string; role: Role },
): Promise<void> {
  const { projectId, personId, role } = input;
  await service.db.behind(serviceDoor(projectId)).transaction(async (tx) => {
    const roles = await lockProject(tx, projectId);
    const former = roles.get(personId);
    keepOwner(roles.set(personId, role));
    await tx.query(
      `INSERT INTO membership (person_id, project_id, role) VALUES ($1, $2, $3)
       ON CONFLICT (person_id, project_id) DO UPDATE SET role = excluded.role`,
      [personId, projectId, role],
    );
    const action = former === undefined ? "member.added" : "member.role_changed";
    await record(service, tx, { action, projectId, personId, data: { role, ...(former && { former }) } });
  });
}
