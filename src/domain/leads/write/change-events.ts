import { ENGLISH } from "../../fields/field-label.ts";
import { actorSql, sourceOf } from "../../operation/actor.ts";
import type { Parameters } from "../../sql/parameters.ts";
import type { Credential } from "../../tenancy/credential.ts";

/** What the data of a change says it was: being deleted and restored have types of their own. */
const TYPE = `CASE WHEN change ->> 'field' <> 'deleted_at' THEN 'lead.updated'
  WHEN change ->> 'to' IS NULL THEN 'lead.restored' ELSE 'lead.deleted' END`;
const titleSql = (project: string): string =>
  `CASE WHEN change ->> 'field' <> 'deleted_at' THEN ${changeTitleSql("change ->> 'field'", project)}
  WHEN change ->> 'to' IS NULL THEN 'Lead restored' ELSE 'Lead deleted' END`;

const LABELS = `'${JSON.stringify(ENGLISH)}'::jsonb`;

/** What a change of a field is called on timelines, by the label that people know it by: `Job title changed`. */
export const changeTitleSql = (field: string, project: string): string =>
  `coalesce(${LABELS} ->> (${field}), (SELECT label FROM custom_field
    WHERE project_id = ${project} AND key = substr(${field}, 8) AND ${field} LIKE 'custom.%'), ${field}) || ' changed'`;

/**
 * The INSERT that tells changes of leads on their timelines. `from` names rows of `id` (the lead's), `at` (when), `changes`
 * (jsonb[] of {field, from, to}) and `events` (a jsonb array of fresh event ids, as many at least). Fields that
 * the project calls quiet are not told, nor is the E.164 form of a phone beside the phone itself.
 */
export function changeEventsSql(from: string, caller: Credential, parameters: Parameters): string {
  const project = parameters.text(caller.projectId);
  return `INSERT INTO event (project_id, id, lead_id, type, occurred_at, recorded_at, source, actor, title, data)
    SELECT ${project}, events ->> (n - 1)::integer, ${from}.id, ${TYPE}, ${from}.at, ${from}.at, ${parameters.text(sourceOf(caller))},
      ${actorSql(caller, parameters)}, ${titleSql(project)}, change
    FROM ${from}, unnest(changes) WITH ORDINALITY AS told (change, n)
    WHERE change ->> 'field' <> 'phone_e164' AND change ->> 'field' <> ALL ((
      SELECT quiet_fields || ARRAY(SELECT 'custom.' || key FROM custom_field WHERE project_id = ${project} AND NOT timeline)
      FROM project WHERE project_id = ${project})::text[])`;
}
