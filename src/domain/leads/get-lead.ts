import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { memberOperation, refuse } from "../operation.ts";
import { leadColumns } from "./lead-columns.ts";

const LEAD = `SELECT row_to_json(shown)::text AS json FROM (
  SELECT ${leadColumns(undefined)} FROM lead
  WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL AND merged_into_id IS NULL) AS shown`;

/** One lead as JSON text; another project's, a deleted one and a malformed id are all "no such lead". */
export const getLead = memberOperation({
  name: "leads.get",
  needs: "leads:read",
  input: Type.Object(
    { id: Type.String({ description: "The lead's id, such as lead_01k3…" }) },
    { additionalProperties: false },
  ),
  async run({ db, caller }, { id }): Promise<string> {
    if (!isId("lead", id)) return await refuse(db, notFound("lead"));
    const [lead] = await db.query<{ json: string }>(LEAD, [caller.projectId, id], { prepare: true });
    if (lead === undefined) throw notFound("lead");
    return lead.json;
  },
});
