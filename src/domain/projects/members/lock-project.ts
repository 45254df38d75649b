import type { Role } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";

/**
 * Holds a project's members still until the transaction ends; answers everybody's role. Runs behind its door.
 * The lock lets foreign keys pass: whoever exchanges a code holds a membership and needs the project for it.
 */
export async function lockProject(tx: Transaction, projectId: string): Promise<Map<string, Role>> {
  await tx.query("SELECT FROM project WHERE project_id = $1 FOR NO KEY UPDATE", [projectId]);
  // a statement of its own: it sees what was committed while the lock was waited for
  const living = await tx.query(
    `SELECT FROM project WHERE project_id = $1
       AND NOT EXISTS (SELECT FROM project_to_erase WHERE project_id = $1)`,
    [projectId],
  );
  if (living.length === 0) throw new Refusal("not_found", "not_found", "No such project.");
  const members = await tx.query<{ id: string; role: Role }>(
    "SELECT person_id AS id, role FROM membership WHERE project_id = $1",
    [projectId],
  );
  return new Map(members.map(({ id, role }) => [id, role]));
}

/** Refuses (`last_owner`) what would leave a project without an owner. */
export function keepOwner(roles: ReadonlyMap<string, Role>): void {
  if ([...roles.values()].includes("owner")) return;
  throw new Refusal(
    "conflict",
    "last_owner",
    "A project keeps at least one owner. Make somebody else owner first.",
  );
}
