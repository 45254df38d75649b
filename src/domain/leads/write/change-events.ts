import { type Change, sourceOfEvents } from "../../changes/change.ts";
import { authorSql, changeSql } from "../../changes/record-change.ts";
import { LABELS } from "../../fields/field-label.ts";
import { placeSql } from "../../sql/feed-sql.ts";
import type { Parameters } from "../../sql/parameters.ts";

/** The event type of a change: deletion and restoration have their own. */
const TYPE = `CASE WHEN change ->> 'field' <> 'deleted_at' THEN 'lead.updated'
  WHEN change ->> 'to' IS NULL THEN 'lead.restored' ELSE 'lead.deleted' END`;
const titleSql = (project: string): string =>
  `CASE WHEN change ->> 'field' <> 'deleted_at' THEN ${changeTitleSql("change ->> 'field'", labelSql("change ->> 'field'", project))}
  WHEN change ->> 'to' IS NULL THEN 'Lead restored' ELSE 'Lead deleted' END`;

const ENGLISH = `'${JSON.stringify(LABELS.en)}'::jsonb`;

/** Returns SQL for the title of a field's change, with the field's label: `Job title changed`. `own` is SQL for a custom field's. */
const changeTitleSql = (field: string, own: string): string =>
  `coalesce(${ENGLISH} ->> (${field}), ${own}, ${field}) || ' changed'`;

const labelSql = (field: string, project: string): string =>
  `(SELECT label FROM custom_field
    WHERE project_id = ${project} AND key = substr(${field}, 8) AND ${field} LIKE 'custom.%')`;

/** SQL for the data of a field's event: the change of the field, and why an opt-out was changed. */
const dataSql = ({ about: { reason } }: Change, parameters: Parameters): string =>
  reason === undefined
    ? "change"
    : `CASE WHEN change ->> 'field' = 'do_not_contact' THEN change || jsonb_build_object('reason', ${parameters.text(reason)}) ELSE change END`;

/** No events tell these: `phone_e164` follows `phone`, and the others are told by the event of the merge. */
const FOLLOWING = ["phone_e164", "created_at", "merged_into_id"];

/** SQL for the project's untracked fields, as an array. */
const untrackedSql = (project: string): string =>
  `SELECT quiet_fields || ARRAY(SELECT 'custom.' || key FROM custom_field WHERE project_id = ${project} AND NOT timeline)
      FROM project WHERE project_id = ${project}`;

/**
 * Returns CTEs that record what was done to leads: `author` has its `actor`, `told` are timeline events of the changed
 * fields, `untold` an item of the change with the untracked ones, `noted` the change itself. `from` names rows of `id`
 * (the lead's), `at` (when), `tx` and `late` (`toldSql`), `version` (after it), `changes` (jsonb[] of {field, from, to}) and `events` (a jsonb array of new ids, one
 * more than there are changes). `counts` is SQL for the counts of the change. With `merging`, rows also have the `event` of a merge,
 * for which `events` has one more.
 */
export function changeEventsSql(
  from: string,
  change: Change,
  parameters: Parameters,
  counts: string,
  merging: boolean,
): string {
  const project = parameters.text(change.by.projectId);
  const id = parameters.text(change.id);
  const source = parameters.text(sourceOfEvents(change));
  const merged = `UNION ALL SELECT ${project}, events ->> -2, id, event ->> 'type', at, at, ${source}, (SELECT actor FROM author), event ->> 'title', event -> 'data', ${id}, tx, version, ${placeSql("(events ->> -2)", "version", "makes")}
    FROM ${from} WHERE event IS NOT NULL`;
  return `${authorSql(change, parameters)}, untracked AS MATERIALIZED (SELECT (${untrackedSql(project)})::text[] AS fields
  ), compared AS MATERIALIZED (
    SELECT ${from}.id, ${from}.at, ${from}.tx, ${from}.late, ${from}.version, change, events ->> (n - 1)::integer AS event, events ->> -1 AS item,
      change ->> 'field' = ANY (SELECT unnest(fields) FROM untracked) AS quiet, ${titleSql(project)} AS title
    FROM ${from}, unnest(changes) WITH ORDINALITY AS each (change, n)
    WHERE change ->> 'field' NOT IN (${[...FOLLOWING, ...(merging ? ["last_activity_at"] : [])].map((name) => `'${name}'`).join(", ")})
  ), told AS (
    INSERT INTO event (project_id, id, lead_id, type, occurred_at, recorded_at, source, actor, title, data, change_id, tx, version, place)
    SELECT ${project}, event, compared.id, ${TYPE}, at, at, ${source},
      (SELECT actor FROM author), title, ${dataSql(change, parameters)}, ${id}, tx, version, ${placeSql("event", "version", "makes")}
    FROM compared WHERE NOT quiet ${merging ? merged : ""}
  ), silent AS MATERIALIZED (
    SELECT min(item) AS item, id, jsonb_object_agg(change ->> 'field', change -> 'from') AS before,
      jsonb_object_agg(change ->> 'field', change -> 'to') AS after, at, tx, late, version
    FROM compared WHERE quiet GROUP BY id, at, tx, late, version
  ), ${changeSql(change, parameters, {
    counts,
    bytes: "(SELECT coalesce(sum(octet_length(before::text) + octet_length(after::text)), 0) FROM silent)",
  })}, untold AS (
    INSERT INTO change_item (project_id, change_id, id, kind, record_id, before, after, told, at, tx, version, place)
    SELECT ${project}, ${id}, item, 'lead', id, before, after, true, at, tx, version, ${placeSql("item", "version", "makes")} FROM silent
  )`;
}
