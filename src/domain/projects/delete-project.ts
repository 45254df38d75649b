import { Refusal } from "../../core/refusal.ts";
import { record } from "../operation/audit/record.ts";
import type { Service } from "../operation/service/service.ts";
import { ownerDoor } from "../tenancy/person-door.ts";
import { eraseProjects } from "./erase-projects.ts";
import { lockProject } from "./members/lock-project.ts";
import { takeOut } from "./members/remove-member.ts";

/**
 * Deletes a project for whoever types its name: members, applications, keys and invitations are out with this
 * transaction, however big it is; the leads, which nobody reaches any more, are removed behind it.
 */
export async function deleteProject(
  service: Service,
  input: { projectId: string; actor: string; typed: string },
): Promise<void> {
  const { projectId, actor, typed } = input;
  await service.db.behind(ownerDoor({ personId: actor, projectId })).transaction(async (tx) => {
    const roles = await lockProject(tx, projectId);
    if (roles.get(actor) !== "owner") {
      throw new Refusal("forbidden", "role", "Your role in this project does not allow it. Ask an owner.");
    }
    const [project] = await tx.query<{ name: string }>("SELECT name FROM project WHERE project_id = $1", [
      projectId,
    ]);
    const name = project?.name ?? "";
    if (oneLine(typed) !== oneLine(name)) {
      throw new Refusal("malformed", "name_differs", "This is not the project's name. Nothing was deleted.");
    }
    for (const personId of roles.keys()) await takeOut(service, tx, { projectId, actor, personId });
    for (const table of ["api_key", "invitation", "authorization_code"]) {
      await tx.query(`DELETE FROM ${table} WHERE project_id = $1`, [projectId]);
    }
    await tx.query("INSERT INTO project_to_erase (project_id) VALUES ($1)", [projectId]);
    const data = { name, members: roles.size };
    await record(service, tx, { action: "project.deleted", projectId, personId: actor, actor, data });
  });
  eraseProjects(service).catch((error: unknown) =>
    service.log.warn({ err: error }, "a deleted project is not erased yet; the next sweep goes on"),
  );
}

/** As a person reads and types it: white space of any kind and length is one space. */
const oneLine = (text: string): string => text.normalize("NFC").replace(/\s+/gu, " ").trim();
