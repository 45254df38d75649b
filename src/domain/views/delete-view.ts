import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { notFound, Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { newChange } from "../changes/change.ts";
import { recordItems } from "../changes/record-items.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { Version } from "../values/version.ts";
import { ViewId } from "./get-view.ts";
import { lockedView, lockViews } from "./view.ts";

const USERS = `SELECT id FROM saved_view WHERE project_id = $1 AND id <> $2
  AND jsonb_path_exists(query, '$.filter.**.view ? (@ == $view)', jsonb_build_object('view', $2::text)) ORDER BY id LIMIT 20`;

const DELETE = "DELETE FROM saved_view WHERE project_id = $1 AND id = $2";

/** Deletes a view; 409 names the views that refer to it. */
export const deleteView = memberOperation({
  name: "views.delete",
  needs: "leads:write",
  alsoNeeds: "leads:read",
  input: Type.Object({ id: ViewId, version: Type.Optional(Version) }, { additionalProperties: false }),
  async run(context, { id, version }): Promise<void> {
    const { db, caller } = context;
    if (!isId("view", id)) return await refuse(db, notFound("view"));
    const { projectId } = caller;
    const change = newChange(context, "view.delete", { about: { view_id: id } });
    await db.transaction(async (tx) => {
      await lockViews(tx, projectId);
      const view = await lockedView(tx, projectId, id, version);
      await removeView(tx, projectId, id);
      await recordItems(tx, change, { views_changed: 1 }, [
        { kind: "view", recordId: id, before: view.definition, after: null, version: view.version },
      ]);
    });
  },
});

/** Deletes a view under the lock of views; refuses (409) while others refer to it. */
export async function removeView(
  tx: Pick<Transaction, "query">,
  projectId: string,
  id: string,
): Promise<void> {
  const users = (await tx.query<{ id: string }>(USERS, [projectId, id])).map((view) => view.id);
  if (users.length > 0) throw viewUsed(users);
  await tx.query(DELETE, [projectId, id]);
}

function viewUsed(users: readonly string[]): Refusal {
  const message = `Other views use this one: ${users.join(", ")}. Change or delete them first.`;
  return new Refusal("conflict", "view_used", message, {
    faults: users.map((id) => ({ path: "id", code: "view_used", message: id })),
  });
}
