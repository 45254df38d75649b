import type { Role } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import { serviceDoor } from "../../db/project-door.ts";
import type { Service } from "../service.ts";

/** Makes a person a member of a project, or changes the role; a project keeps at least one owner. */
export async function addMember(
  service: Service,
  input: { projectId: string; personId: string; role: Role },
): Promise<void> {
  await service.db.behind(serviceDoor(input.projectId)).transaction(async (tx) => {
    const project = await tx.query("SELECT FROM project WHERE project_id = $1 FOR UPDATE", [input.projectId]);
    if (project.length === 0) throw new Refusal("not_found", "not_found", "No such project.");
    await tx.query(
      `INSERT INTO membership (person_id, project_id, role) VALUES ($1, $2, $3)
       ON CONFLICT (person_id, project_id) DO UPDATE SET role = excluded.role`,
      [input.personId, input.projectId, input.role],
    );
    const owners = await tx.query("SELECT FROM membership WHERE project_id = $1 AND role = 'owner'", [
      input.projectId,
    ]);
    if (owners.length === 0)
      throw new Refusal("conflict", "last_owner", "A project keeps at least one owner.");
  });
}
