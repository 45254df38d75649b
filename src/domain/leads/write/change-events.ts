import { LABELS } from "../../fields/field-label.ts";
import { actorSql, sourceOf } from "../../operation/actor.ts";
import type { Parameters } from "../../sql/parameters.ts";
import type { Credential } from "../../tenancy/credential.ts";

/** The event type of a change: deletion and restoration have their own. */
const TYPE = `CASE WHEN change ->> 'field' <> 'deleted_at' THEN 'lead.updated'
  WHEN change ->> 'to' IS NULL THEN 'lead.restored' ELSE 'lead.deleted' END`;
const titleSql = (project: string): string =>
  `CASE WHEN change ->> 'field' <> 'deleted_at' THEN ${changeTitleSql("change ->> 'field'", project)}
  WHEN change ->> 'to' IS NULL THEN 'Lead restored' ELSE 'Lead deleted' END`;

const ENGLISH = `'${JSON.stringify(LABELS.en)}'::jsonb`;

/** Returns SQL for the title of a field's change, with the field's label: `Job title changed`. */
export const changeTitleSql = (field: string, project: string): string =>
  `coalesce(${ENGLISH} ->> (${field}), (SELECT label FROM custom_field
    WHERE project_id = ${project} AND key = substr(${field}, 8) AND ${field} LIKE 'custom.%'), ${field}) || ' changed'`;

/**
 * Returns the INSERT of the timeline events of changed leads. `from` names rows of `id` (the lead's), `at` (when),
 * `changes` (jsonb[] of {field, from, to}) and `events` (a jsonb array of at least as many new event ids).
 * Untracked fields and `phone_e164` get no events.
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
