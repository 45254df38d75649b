import { NewView } from "../../contract/views.ts";
import { newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import { newChange } from "../changes/change.ts";
import { recordItems } from "../changes/record-items.ts";
import { actorOf } from "../operation/actor.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { warn } from "../operation/service/warn.ts";
import { roomSql } from "../sql/room.ts";
import {
  checkQuery,
  lockViews,
  MOST_VIEWS,
  readName,
  VIEW_DEFINITION,
  VIEW_JSON,
  type ViewDefinition,
  type ViewRecord,
} from "./view.ts";

const CREATE = `WITH ${roomSql("saved_view WHERE project_id = $1", MOST_VIEWS)}, made AS (
    INSERT INTO saved_view (project_id, id, name, query, created_by) SELECT $1, $2, $3, $4, $5 FROM room RETURNING *
  ) SELECT v.id, v.version, ${VIEW_JSON} AS json, ${VIEW_DEFINITION} AS definition FROM made v`;

/** Saves a query under a name, after checking it like a request. */
export const createView = memberOperation({
  name: "views.create",
  needs: "leads:write",
  alsoNeeds: "leads:read",
  input: NewView,
  async run(context, { name, query }): Promise<ViewRecord> {
    const { service, db, caller } = context;
    const { projectId } = caller;
    const text = await checked(context, () => readName(name));
    const id = newId("view");
    const change = newChange(context, "view.create", { about: { view_id: id } });
    return await db.transaction(async (tx) => {
      await lockViews(tx, projectId);
      warn(service, await checkQuery(tx, projectId, query));
      const actor = JSON.stringify(await actorOf(tx, caller));
      const values = [projectId, id, text, JSON.stringify(query), actor];
      const [view] = await tx.query<ViewRecord & { definition: ViewDefinition }>(CREATE, values);
      if (view === undefined)
        throw new Refusal("conflict", "too_many_views", `A project has at most ${MOST_VIEWS} saved views.`);
      const { version, definition } = view;
      await recordItems(tx, change, { views_changed: 1 }, [
        { kind: "view", recordId: id, before: null, after: definition, version },
      ]);
      return view;
    });
  },
});
