import { isDeepStrictEqual } from "node:util";
import { Type } from "typebox";
import { ViewPatch } from "../../contract/views.ts";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { newChange } from "../changes/change.ts";
import { recordItems } from "../changes/record-items.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { warn } from "../operation/service/warn.ts";
import { Version } from "../values/version.ts";
import { ViewId } from "./get-view.ts";
import {
  checkQuery,
  lockedView,
  lockViews,
  readName,
  VIEW_DEFINITION,
  VIEW_JSON,
  type ViewDefinition,
  type ViewRecord,
} from "./view.ts";

const UPDATE = `WITH written AS (
    UPDATE saved_view SET name = coalesce($3, name), query = coalesce($4::jsonb, query), version = version + 1, updated_at = moment()
    WHERE project_id = $1 AND id = $2 RETURNING *
  ) SELECT v.id, v.version, ${VIEW_JSON} AS json, ${VIEW_DEFINITION} AS definition FROM written v`;

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
    const { service, db, caller } = context;
    const { projectId } = caller;
    const text = await checked(context, () => {
      if (!isId("view", id)) throw notFound("view");
      return name === undefined ? null : readName(name);
    });
    const change = newChange(context, "view.update", { about: { view_id: id } });
    return await db.transaction(async (tx) => {
      await lockViews(tx, projectId);
      const { definition: before } = await lockedView(tx, projectId, id, version);
      if (query !== undefined)
        warn(service, await checkQuery(tx, projectId, query, { id, query: before.query }));
      const values = [projectId, id, text, query === undefined ? null : JSON.stringify(query)];
      const [view] = await tx.query<ViewRecord & { definition: ViewDefinition }>(UPDATE, values);
      if (view === undefined) throw notFound("view");
      const { definition: after } = view;
      if (!isDeepStrictEqual(after, before))
        await recordItems(tx, change, { views_changed: 1 }, [
          { kind: "view", recordId: id, before, after, version: view.version },
        ]);
      return view;
    });
  },
});
