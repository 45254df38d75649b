import type { Transaction } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import type { Service } from "../operation/service/service.ts";

const AT_ONCE = 2_000;

/** What may be large goes in batches, events before their leads; the rest goes with the project itself. */
const LARGE = ["event", "lead", "dataset_row"];

/** Removes what deleted projects left behind, batch by batch; after a crash, the next call goes on. */
export async function eraseProjects(service: Service): Promise<void> {
  const waiting = await service.db.query<{ id: string }>("SELECT project_id AS id FROM project_to_erase");
  for (const { id } of waiting) {
    let more = true;
    while (more) {
      more = await service.db.behind(serviceDoor(id)).transaction((tx) => eraseSome(tx, id));
    }
  }
}

/** One batch; whether there may be more. Another instance at the same project goes first, and this one leaves it. */
async function eraseSome(tx: Transaction, projectId: string): Promise<boolean> {
  const mine = await tx.query("SELECT FROM project_to_erase WHERE project_id = $1 FOR UPDATE SKIP LOCKED", [
    projectId,
  ]);
  if (mine.length === 0) return false;
  for (const table of LARGE) {
    const gone = await tx.query(
      `DELETE FROM ${table} WHERE project_id = $1
         AND id IN (SELECT id FROM ${table} WHERE project_id = $1 LIMIT ${AT_ONCE}) RETURNING 1`,
      [projectId],
    );
    if (gone.length > 0) return true;
  }
  await tx.query("SET LOCAL statement_timeout = '10min'");
  await tx.query('DELETE FROM "authorization" WHERE project_id = $1', [projectId]);
  await tx.query("DELETE FROM authorization_code WHERE project_id = $1", [projectId]);
  await tx.query("DELETE FROM project WHERE project_id = $1", [projectId]);
  await tx.query("DELETE FROM membership WHERE project_id = $1", [projectId]);
  await tx.query("DELETE FROM consent_choice WHERE project_id = $1", [projectId]);
  await tx.query("DELETE FROM project_to_erase WHERE project_id = $1", [projectId]);
  return false;
}
