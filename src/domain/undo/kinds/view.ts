import { isDeepStrictEqual } from "node:util";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { roomSql } from "../../sql/room.ts";
import { removeView } from "../../views/delete-view.ts";
import { checkQuery, lockView, lockViews, MOST_VIEWS, type ViewDefinition } from "../../views/view.ts";
import type { Definition } from "./kind.ts";

const WRITE = `UPDATE saved_view SET name = $3, query = $4, version = version + 1, updated_at = moment()
  WHERE project_id = $1 AND id = $2 RETURNING version`;

const CREATE = `WITH ${roomSql("saved_view WHERE project_id = $1", MOST_VIEWS)}, made AS (
    INSERT INTO saved_view (project_id, id, name, query, created_by, created_at, version)
    SELECT $1, $2, $3, $4, $5, $6::timestamptz, $7 FROM room RETURNING version
  ) SELECT version FROM made`;

/** A saved view. Refuses (409) to delete one that others refer to. */
export const savedView: Definition = {
  absent: "deleted",
  counted: "views_changed",
  async lock(tx, projectId, id) {
    await lockViews(tx, projectId);
    const stored = await lockView(tx, projectId, id);
    return stored === undefined ? undefined : { now: stored.definition, version: stored.version };
  },
  async write(tx, projectId, { id, now, former, version }) {
    if (former === null) {
      await removeView(tx, projectId, id);
      return { after: null, version };
    }
    const view = former as ViewDefinition;
    const query = (now as ViewDefinition | null)?.query;
    if (!isDeepStrictEqual(view.query, query) && !(await fits(tx, projectId, id, view)))
      return "does_not_fit";
    const values = [projectId, id, view.name, JSON.stringify(view.query)];
    const made = [JSON.stringify(view.created_by), view.created_at, version + 1];
    const [row] =
      now === null
        ? await tx.query<{ version: number }>(CREATE, [...values, ...made])
        : await tx.query<{ version: number }>(WRITE, values);
    // Without a row, the project has as many views as it may have.
    return row === undefined ? "does_not_fit" : { after: view, version: row.version };
  },
};

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
