import { notFound, Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";

const LOCK = "SELECT version FROM saved_view WHERE project_id = $1 AND id = $2 FOR UPDATE";

/** Locks a view that is to change; 404 for none, 412 for another version than the caller knows. */
export async function lockedView(
  tx: Transaction,
  projectId: string,
  id: string,
  version: number | undefined,
): Promise<void> {
  const [view] = await tx.query<{ version: number }>(LOCK, [projectId, id]);
  if (view === undefined) throw notFound("view");
  if (version === undefined || version === view.version) return;
  const message = `The view is at version ${view.version} by now. Read it again, then change it.`;
  throw new Refusal("stale", "stale", message, {
    faults: [{ path: "version", code: "stale", message: String(view.version) }],
  });
}
