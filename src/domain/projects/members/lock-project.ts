import { manages, type Role } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";

/** Refuses callers who may not give or take these roles: admins manage everybody but owners. */
export function mayManage(acting: Role | undefined, ...touched: Array<Role | undefined>): void {
  if (acting === undefined || !manages(acting)) {
    throw new Refusal("forbidden", "role", "Your role in this project does not allow this. Ask an owner.");
  }
  if (acting !== "owner" && touched.includes("owner")) {
    throw new Refusal("forbidden", "owner_only", "Only an owner can make, change or remove an owner.");
  }
}

/**
 * Locks a project's members until the transaction ends and returns all roles. Runs behind the project's door. The
 * lock does not conflict with foreign keys: a code exchange holds a membership and needs the project's row for it.
 */
export async function lockProject(tx: Transaction, projectId: string): Promise<Map<string, Role>> {
  const locked = await tx.query("SELECT FROM project WHERE project_id = $1 FOR NO KEY UPDATE", [projectId]);
  // a separate statement: it sees what was committed while the lock was awaited
  const deleted = await tx.query("SELECT FROM project_to_erase WHERE project_id = $1", [projectId]);
  if (locked.length === 0 || deleted.length > 0)
    throw new Refusal("not_found", "not_found", "No such project.");
  const members = await tx.query<{ id: string; role: Role }>(
    "SELECT person_id AS id, role FROM membership WHERE project_id = $1",
    [projectId],
  );
  return new Map(members.map(({ id, role }) => [id, role]));
}

/** Refuses (`last_owner`) a change that would leave a project without an owner. */
export function keepOwner(roles: ReadonlyMap<string, Role>): void {
  if ([...roles.values()].includes("owner")) return;
  throw new Refusal(
    "conflict",
    "last_owner",
    "A project needs at least one owner. Make someone else an owner first.",
  );
}
