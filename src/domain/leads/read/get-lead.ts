import { Type } from "typebox";
import { Include } from "../../../contract/leads/query.ts";
import { isId } from "../../../core/id.ts";
import { notFound } from "../../../core/refusal.ts";
import { leadColumns } from "../../fields/lead-columns.ts";
import { NO_ESTIMATES } from "../../fields/project-schema.ts";
import { includedDatasets, includeSql, statusSinceSql } from "../../filter/include.ts";
import { StatementScope } from "../../filter/sql/statement-scope.ts";
import { memberOperation, refuse } from "../../operation/operation.ts";
import { missingLead } from "./lead-id.ts";

const leadSql = (id: string, included: string, deleted: boolean): string =>
  `SELECT row_to_json(shown)::text AS json FROM (
  SELECT ${included}${leadColumns(undefined)} FROM lead
  WHERE project_id = $1 AND id = ${id}${deleted ? "" : " AND deleted_at IS NULL"} AND merged_into_id IS NULL) AS shown`;

/**
 * Returns a lead as JSON text. Ids that are malformed, deleted or of another project are all "no such lead"; for a
 * merged lead the refusal names the surviving one. With `deleted`, a deleted lead is returned while it can be
 * restored.
 */
export const getLead = memberOperation({
  name: "leads.get",
  lane: "keyed",
  needs: "leads:read",
  input: Type.Object(
    {
      id: Type.String({ description: "The lead's id, such as lead_01k3…" }),
      include: Type.Optional(Include),
      deleted: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  async run(context, { id, include, deleted = false }): Promise<string> {
    const { db, caller } = context;
    if (!isId("lead", id)) return await refuse(db, notFound("lead"));
    const included = await includedDatasets(context, include);
    const scope = new StatementScope(caller.projectId, undefined, { ...NO_ESTIMATES, wanted: 1 });
    const more = statusSinceSql(include, scope) + includeSql(included, scope);
    const text = leadSql(scope.parameters.text(id), more, deleted);
    const [lead] = await db.query<{ json: string }>(text, scope.parameters.values, { prepare: true });
    if (lead === undefined) throw await missingLead(db, caller.projectId, id);
    return lead.json;
  },
});
