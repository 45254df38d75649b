import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { VIEW_JSON, type ViewRecord } from "./view.ts";

export const ViewId = Type.String({ description: "The view's id, such as view_01k3…" });

const ONE = `SELECT v.id, v.version, ${VIEW_JSON} AS json FROM saved_view v WHERE project_id = $1 AND id = $2`;

/** One saved view. */
export const getView = memberOperation({
  name: "views.get",
  lane: "keyed",
  needs: "leads:read",
  input: Type.Object({ id: ViewId }, { additionalProperties: false }),
  async run({ db, caller }, { id }): Promise<ViewRecord> {
    if (!isId("view", id)) return await refuse(db, notFound("view"));
    const [view] = await db.query<ViewRecord>(ONE, [caller.projectId, id], { prepare: true });
    if (view === undefined) throw notFound("view");
    return view;
  },
});
