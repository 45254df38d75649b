import { Type } from "typebox";
import { ViewPatch } from "../../contract/nouns/view.ts";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { Version } from "../values/version.ts";
import { ViewId } from "./get-view.ts";
import { checkQuery, lockedView, lockViews, readName, VIEW_JSON, type ViewRecord } from "./view.ts";

const UPDATE = `UPDATE saved_view v SET name = coalesce($3, name), query = coalesce($4::jsonb, query),
    version = version + 1, updated_at = moment()
  WHERE project_id = $1 AND id = $2 RETURNING v.id, v.version, ${VIEW_JSON} AS json`;

/** Changes a view's name or its whole query; with `version`, 412 unless it is the current one. */
export const updateView = memberOperation({
  name: "views.update",
  needs: "leads:write",
  alsoNeeds: "leads:read",
  input: Type.Object(
    { id: ViewId, ...ViewPatch.properties, version: Type.Optional(Version) },
    { additionalProperties: false },
  ),
  async run(context, { id, version, name, query }): Promise<ViewRecord> {
    const { db, caller } = context;
    const { projectId } = caller;
    const text = await checked(context, () => {
      if (!isId("view", id)) throw notFound("view");
      return name === undefined ? null : readName(name);
    });
    return await db.transaction(async (tx) => {
      await lockViews(tx, projectId);
      const before = await lockedView(tx, projectId, id, version);
      if (query !== undefined) await checkQuery(tx, context, query, before);
      const values = [projectId, id, text, query === undefined ? null : JSON.stringify(query)];
      const [view] = await tx.query<ViewRecord>(UPDATE, values);
      if (view === undefined) throw notFound("view");
      return view;
    });
  },
});
