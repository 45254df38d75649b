import { newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/database.ts";
import { record } from "../audit/record.ts";
import type { Service } from "../service.ts";

/** Creates a project that the person owns; refuses (`bad_project_name`) a name that is empty or over 200 characters. */
export async function createProject(
  service: Service,
  { name, personId }: { name: string; personId: string },
): Promise<{ id: string; name: string }> {
  return await service.db.transaction(async (tx) => {
    // whoever deletes the account at this moment waits, and then sees the new project
    const owner = await tx.query("SELECT FROM person WHERE id = $1 FOR KEY SHARE", [personId]);
    if (owner.length === 0) throw new Refusal("unauthenticated", "sign_in", "Sign in first.");
    const id = await addProject(tx, { name, ownerId: personId });
    await record(service, tx, { action: "project.created", projectId: id, personId, actor: personId });
    return { id, name: name.trim() };
  });
}

/** Creates a project and its owner's membership inside a transaction; answers its id. */
export async function addProject(tx: Transaction, fresh: { name: string; ownerId: string }): Promise<string> {
  const name = fresh.name.trim();
  if (name === "" || name.length > 200) {
    throw new Refusal("malformed", "bad_project_name", "A project needs a name of 1 to 200 characters.");
  }
  const id = newId("prj");
  await tx.query("SELECT set_config('leadgate.project', $1, true)", [id]);
  await tx.query("INSERT INTO project (project_id, name, slug) VALUES ($1, $2, $3)", [
    id,
    name,
    slugOf(name),
  ]);
  await tx.query("INSERT INTO membership (person_id, project_id, role) VALUES ($1, $2, 'owner')", [
    fresh.ownerId,
    id,
  ]);
  return id;
}

function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "project"
  );
}
