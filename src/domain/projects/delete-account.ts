import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { CHANGING_ALL } from "../../db/statements/session-settings.ts";
import { provePassword } from "../accounts/prove-self.ts";
import { record } from "../operation/audit/record.ts";
import { personOperation } from "../operation/callers.ts";
import type { Service } from "../operation/service/service.ts";
import { projectIdsOf } from "../tenancy/list-projects.ts";
import { lockProject } from "./members/lock-project.ts";
import { takeOut } from "./members/remove-member.ts";

/** How often deletion is tried while the person's projects change at the same time. */
const TRIES = 3;

/**
 * Deletes a person's account and everything that belongs to it alone. Refuses (`last_owner`) if a project would be
 * left without an owner: two owners who leave at once wait for each other, and the second is refused.
 */
export const deleteAccount = personOperation({
  name: "account.delete",
  async run({ service, db, caller }, { password }: { password: string }) {
    const personId = caller.person.id;
    await provePassword(service, caller, password);
    for (let attempt = 1; ; attempt += 1) {
      const done = await db.transaction((tx) => leave(service, tx, personId)).catch(again);
      if (done) return;
      if (attempt === TRIES)
        throw new Refusal("unavailable", "busy_account", "Your projects are changing. Try again.", {
          retryAfter: 1,
        });
    }
  },
});

class Moved extends Error {}

const again = (error: unknown): boolean => {
  if (error instanceof Moved) return false;
  throw error;
};

async function leave(service: Service, tx: Transaction, personId: string): Promise<boolean> {
  const projects = await projectIdsOf(tx, personId);
  for (const projectId of projects) {
    await tx.query("SELECT set_config('leadgate.project', $1, true)", [projectId]);
    const roles = await lockProject(tx, projectId);
    roles.delete(personId);
    if (![...roles.values()].includes("owner")) throw lastOwner();
    await takeOut(service, tx, { projectId, actor: personId, personId });
    await record(service, tx, { action: "member.left", projectId, personId, actor: personId });
  }
  // projects first, then the person: joining locks them in this order too
  const found = await tx.query("SELECT FROM person WHERE id = $1 FOR UPDATE", [personId]);
  if (found.length === 0) return true;
  if ((await projectIdsOf(tx, personId)).length > 0) throw new Moved();
  await tx.query(CHANGING_ALL.text);
  await tx.query("UPDATE audit SET data = data - 'email' WHERE person_id = $1 AND data ? 'email'", [
    personId,
  ]);
  await record(service, tx, { action: "person.deleted", personId, actor: personId });
  await tx.query("DELETE FROM person WHERE id = $1", [personId]);
  return true;
}

const lastOwner = (): Refusal =>
  new Refusal(
    "conflict",
    "owns_alone",
    "You are the only owner of a project. Make someone else an owner, or delete the project first.",
  );

/** The projects of which a person is the only owner. */
export const listProjectsOwnedAlone = personOperation({
  name: "projects.list_owned_alone",
  async run({ db, caller }): Promise<string[]> {
    const rows = await db.query<{ id: string }>(
      `SELECT m.project_id AS id FROM membership m WHERE m.person_id = $1 AND m.role = 'owner'
       AND NOT EXISTS (SELECT FROM membership o
         WHERE o.project_id = m.project_id AND o.role = 'owner' AND o.person_id <> $1)`,
      [caller.person.id],
    );
    return rows.map(({ id }) => id);
  },
});
