import { Refusal } from "../../core/refusal.ts";
import { record } from "../operation/audit/record.ts";
import type { Service } from "../operation/service/service.ts";
import { ownedProject } from "../tenancy/list-projects.ts";
import { addProject, type NewProject } from "./create-project.ts";

/**
 * The project of this name that the person owns, created when there is none: a form that is sent twice makes
 * one project. Answers its id; refuses names as createProject does.
 */
export async function ensureProject(
  service: Service,
  { personId, ...fresh }: NewProject & { personId: string },
): Promise<string> {
  return await service.db.transaction(async (tx) => {
    // the second of two racing forms waits here, and then sees the first one's project
    const owner = await tx.query("SELECT FROM person WHERE id = $1 FOR NO KEY UPDATE", [personId]);
    if (owner.length === 0) throw new Refusal("unauthenticated", "sign_in", "Sign in first.");
    const known = await ownedProject(tx, { personId, name: fresh.name.trim() });
    if (known !== undefined) return known;
    const id = await addProject(tx, { ...fresh, ownerId: personId });
    await record(service, tx, { action: "project.created", projectId: id, personId, actor: personId });
    return id;
  });
}
