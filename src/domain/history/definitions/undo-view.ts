import { isDeepStrictEqual } from "node:util";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { STANDS_SQL } from "../../changes/mark-undone.ts";
import { roomSql } from "../../sql/room.ts";
import { removeView } from "../../views/delete-view.ts";
import { checkQuery, lockView, lockViews, MOST_VIEWS, type ViewDefinition } from "../../views/view.ts";
import { type DefinitionChange, type DefinitionStep, stepOf } from "./definition-step.ts";

const ITEM =
  "SELECT before, after, version FROM change_item WHERE project_id = $1 AND change_id = $2 AND id = $3";

/** Whether another change that counts has written the view behind an item. */
const CHANGED = `SELECT FROM change_item i JOIN change c ON c.project_id = $1 AND c.id = i.change_id
  WHERE i.project_id = $1 AND i.record_id = $2 AND i.kind = 'view' AND i.id > $3 AND ${STANDS_SQL} LIMIT 1`;

const WRITE = `UPDATE saved_view SET name = $3, query = $4, version = version + 1, updated_at = moment()
  WHERE project_id = $1 AND id = $2 RETURNING version`;

const CREATE = `WITH ${roomSql("saved_view WHERE project_id = $1", MOST_VIEWS)}, made AS (
    INSERT INTO saved_view (project_id, id, name, query, created_by, created_at, version)
    SELECT $1, $2, $3, $4, $5, $6::timestamptz, $7 FROM room RETURNING version
  ) SELECT version FROM made`;

interface ViewItem extends DefinitionChange<ViewDefinition> {
  version: number | null;
}

/**
 * Undoes what the change `of` did to a view, as its item tells, unless it was changed since. Refuses (409) to delete one
 * that other views refer to.
 */
export async function undoView(
  tx: Transaction,
  undo: Change,
  of: string,
  item: { id: string; view: string },
): Promise<DefinitionStep> {
  const { projectId } = undo.by;
  const own = [projectId, item.view];
  await lockViews(tx, projectId);
  // Read again behind the lock: an erasure may have replaced what names a person.
  const [kept] = await tx.query<ViewItem>(ITEM, [projectId, of, item.id]);
  if (kept === undefined) return { did: "nothing" };
  const stored = await lockView(tx, projectId, item.view);
  const now = stored?.definition;
  const step = stepOf(kept, now);
  if (step === "nothing") return { did: "nothing" };
  if (step === "taken") return { did: "kept", reason: step };
  if (step === "changed_since") return { did: "kept", reason: now === undefined ? "deleted" : step };
  if (step !== "create" && (await tx.query(CHANGED, [...own, item.id])).length > 0)
    return { did: "kept", reason: "changed_since" };
  if (step === "delete") {
    await removeView(tx, projectId, item.view);
    return { did: "deleted", before: now ?? null, after: null, version: stored?.version ?? 1 };
  }
  const { before } = kept;
  if (before === null) throw new Error("a view without a former definition is put back");
  if (!isDeepStrictEqual(before.query, now?.query) && !(await fits(tx, projectId, item.view, before)))
    return { did: "kept", reason: "does_not_fit" };
  const written = [...own, before.name, JSON.stringify(before.query)];
  const more = [JSON.stringify(before.created_by), before.created_at, (kept.version ?? 0) + 1];
  const [row] =
    step === "create"
      ? await tx.query<{ version: number }>(CREATE, [...written, ...more])
      : await tx.query<{ version: number }>(WRITE, written);
  // The project has as many views as it may have.
  if (row === undefined) return { did: "kept", reason: "does_not_fit" };
  const did = step === "create" ? "restored" : "put_back";
  return { did, before: now ?? null, after: before, version: row.version };
}

/** Whether a former query can be used: its fields and views exist, and no view contains itself. */
async function fits(
  tx: Transaction,
  projectId: string,
  id: string,
  { query }: ViewDefinition,
): Promise<boolean> {
  try {
    // Options that were removed since stay in it, as in views that nobody changed.
    await checkQuery(tx, projectId, query, { id, query });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.kind === "malformed") return false;
    throw error;
  }
}
