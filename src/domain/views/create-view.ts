import { NewView } from "../../contract/nouns/view.ts";
import { newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import { actorOf } from "../operation/actor.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { checkQuery, lockViews, readName, VIEW_JSON, type ViewRecord } from "./view.ts";

const MOST = 1_000;

const CREATE = `INSERT INTO saved_view AS v (project_id, id, name, query, created_by)
  SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM saved_view WHERE project_id = $1) < ${MOST}
  RETURNING v.id, v.version, ${VIEW_JSON} AS json`;

/** Saves a query under a name, after checking it like a request. */
export const createView = memberOperation({
  name: "views.create",
  needs: "leads:write",
  alsoNeeds: "leads:read",
  input: NewView,
  async run(context, { name, query }): Promise<ViewRecord> {
    const { db, caller } = context;
    const { projectId } = caller;
    const text = await checked(context, () => readName(name));
    return await db.transaction(async (tx) => {
      await lockViews(tx, projectId);
      await checkQuery(tx, context, query);
      const actor = JSON.stringify(await actorOf(tx, caller));
      const values = [projectId, newId("view"), text, JSON.stringify(query), actor];
      const [view] = await tx.query<ViewRecord>(CREATE, values);
      if (view === undefined)
        throw new Refusal("conflict", "too_many_views", `A project has at most ${MOST} saved views.`);
      return view;
    });
  },
});
