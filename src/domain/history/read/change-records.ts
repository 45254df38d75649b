import { leadNameSql } from "../../leads/read/lead-name.ts";
import { maySql } from "../../operation/may-sql.ts";
import type { Parameters } from "../../sql/parameters.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { rowNameSql } from "./record-name.ts";

/** The place of a record in its change: what an undo kept (0), leads (1), everything else (2); then its key there. */
export type RecordMark = readonly [place: number, key: string];

/** What the SQL names. */
interface Names {
  project: string;
  change: string;
  limit: number;
  after: RecordMark | undefined;
}

/**
 * Returns CTEs for the keys of a page's records: `keys` has one more than the limit. Each place is read from its index
 * behind the mark, so that a page costs what it shows, whatever the size of the change.
 */
export function recordKeysSql(names: Names, parameters: Parameters): string {
  const { project, change, limit, after: [place, key] = [-1, ""] } = names;
  const behind = (own: number, column: string): string =>
    own < place ? "false" : own > place ? "true" : `${column} > ${parameters.text(key)}`;
  const own = (table: string) => `${table}.project_id = ${project} AND ${table}.change_id = ${change}`;
  const part = (text: string) => `(SELECT * FROM (${text}) AS part ORDER BY key LIMIT ${limit + 1})`;
  return `keys AS MATERIALIZED (
    SELECT * FROM (
      ${part(`SELECT 0 AS place, i.id AS key FROM change_item i WHERE ${own("i")} AND i.kind = 'kept' AND ${behind(0, "i.id")}`)}
      UNION ALL ${part(`SELECT 1 AS place, e.lead_id AS key FROM (
        (SELECT DISTINCT e.lead_id FROM event e WHERE ${own("e")} AND ${behind(1, "e.lead_id")} ORDER BY e.lead_id LIMIT ${limit + 1})
        UNION (SELECT DISTINCT i.record_id FROM change_item i WHERE ${own("i")} AND i.kind = 'lead' AND ${behind(1, "i.record_id")}
          ORDER BY i.record_id LIMIT ${limit + 1})) AS e`)}
      UNION ALL ${part(`SELECT 2 AS place, i.id AS key FROM change_item i WHERE ${own("i")} AND i.kind NOT IN ('kept', 'lead', 'undone') AND ${behind(2, "i.id")}`)}
    ) AS parts ORDER BY place, key LIMIT ${limit + 1})`;
}

/** SQL for a record as JSON, from a row `k` of its `place` and `key`. */
export function recordJson({ project, change }: Names, caller: Credential, parameters: Parameters): string {
  const mayRead = maySql(caller, parameters, "datasets:read");
  const item = `change_item i WHERE i.project_id = ${project} AND i.change_id = ${change} AND i.id = k.key`;
  return `CASE k.place
    WHEN 1 THEN (${leadRecord(project, change)})
    WHEN 0 THEN (SELECT json_build_object('kind', ${KEPT_KIND}, 'id', i.record_id, 'dataset_id', i.dataset_id,
      'name', CASE ${KEPT_KIND} WHEN 'lead' THEN ${nameOf("i.record_id", project)} WHEN 'view' THEN ${viewName(project)}
        ELSE ${rowName(project, mayRead, "NULL::jsonb")} END,
      'outcome', 'kept', 'changes', '[]'::json, 'events', 0, 'kept', ${KEPT}) FROM ${item})
    ELSE (SELECT json_build_object(
      'kind', CASE WHEN i.kind IN ('event', 'hidden') THEN 'lead' ELSE i.kind END,
      'id', CASE i.kind WHEN 'event' THEN coalesce(i.before, i.after) ->> 'lead_id' ELSE i.record_id END,
      'dataset_id', i.dataset_id,
      'name', CASE i.kind WHEN 'event' THEN ${nameOf("(coalesce(i.before, i.after) ->> 'lead_id')", project)}
        WHEN 'row' THEN ${rowName(project, mayRead, WHOLE_ROW)} WHEN 'view' THEN ${viewName(project)} END,
      'outcome', CASE WHEN i.kind = 'event' AND i.after IS NULL THEN 'withdrawn' WHEN i.kind = 'event' THEN 'recorded'
        WHEN i.before IS NULL THEN 'created' WHEN i.after IS NULL THEN 'deleted' ELSE 'updated' END,
      'changes', CASE i.kind WHEN 'event' THEN '[]'::json
        WHEN 'row' THEN ${rowChanges(project, mayRead)}
        WHEN 'view' THEN ${pairs(`(i.before - ${MADE})`, `(i.after - ${MADE})`)} ELSE ${pairs("i.before", "i.after")} END,
      'events', CASE i.kind WHEN 'event' THEN 1 ELSE 0 END, 'kept', '[]'::json) FROM ${item}) END`;
}

/** Values of leads that nobody saw, and the surviving lead of a merge, are kept under names of their own. */
const KEPT_KIND = `CASE WHEN i.after ->> 'kind' IN ('hidden', 'merge') THEN 'lead' ELSE coalesce(i.after ->> 'kind', 'row') END`;

const KEPT = `(SELECT coalesce(json_agg(json_build_object('field', each -> 'field', 'reason', each -> 'reason',
    'by', each -> 'by', 'change_id', each -> 'change_id', 'at', each -> 'at')), '[]')
  FROM jsonb_array_elements(i.after -> 'kept') AS each)`;

const nameOf = (id: string, project: string): string =>
  `(SELECT ${leadNameSql("l")} FROM lead l WHERE l.project_id = ${project} AND l.id = ${id})`;

/** All cells of a row that the change created or deleted. */
const WHOLE_ROW = "CASE WHEN i.before IS NULL THEN i.after WHEN i.after IS NULL THEN i.before END";

/** The present name of a row; once the row is gone, its name in `gone`. */
const rowName = (project: string, mayRead: string, gone: string): string => `CASE WHEN ${mayRead} THEN (
  SELECT ${rowNameSql("row_of.cells")} FROM dataset d
    LEFT JOIN dataset_row r ON r.project_id = ${project} AND r.dataset_id = d.id AND r.id = i.record_id,
    LATERAL (SELECT coalesce(r.cells, ${gone}) AS cells) AS row_of
  WHERE d.project_id = ${project} AND d.id = i.dataset_id) END`;

/** The present name of a view; once it is gone, the last one that the item knows. */
const viewName = (project: string): string => `coalesce(
  (SELECT v.name FROM saved_view v WHERE v.project_id = ${project} AND v.id = i.record_id), i.after ->> 'name', i.before ->> 'name')`;

/** Who made a view and when: kept to restore it, and never changed. */
const MADE = "ARRAY['created_by', 'created_at']";

/** The values of two objects that differ, as JSON. */
const pairs = (before: string, after: string): string => `(
  SELECT coalesce(json_agg(json_build_object('field', key, 'from', ${before} -> key, 'to', ${after} -> key) ORDER BY key), '[]')
  FROM (SELECT jsonb_object_keys(coalesce(${before}, '{}')) AS key UNION SELECT jsonb_object_keys(coalesce(${after}, '{}'))) AS keys
  WHERE ${before} -> key IS DISTINCT FROM ${after} -> key)`;

/** The cells of a row by the keys of their columns; a column that is gone is left out. */
const rowChanges = (project: string, mayRead: string): string => `CASE WHEN ${mayRead} THEN (
  SELECT coalesce(json_agg(json_build_object('field', col ->> 'key', 'from', i.before -> slot, 'to', i.after -> slot) ORDER BY n), '[]')
  FROM dataset d, jsonb_array_elements(d.columns) WITH ORDINALITY AS col_of (col, n), LATERAL (SELECT col ->> 'slot' AS slot) AS s
  WHERE d.project_id = ${project} AND d.id = i.dataset_id AND i.before -> slot IS DISTINCT FROM i.after -> slot) ELSE '[]'::json END`;

/** A lead: the first and the last value of each field, since a change may set one twice. */
const leadRecord = (
  project: string,
  change: string,
): string => `SELECT json_build_object('kind', 'lead', 'id', k.key,
    'dataset_id', NULL, 'name', ${nameOf("k.key", project)},
    'outcome', CASE WHEN bool_or(type = 'lead.created') THEN 'created' WHEN bool_or(type = 'lead.deleted') THEN 'deleted'
      WHEN bool_or(type = 'lead.restored') THEN 'restored' WHEN bool_or(type IN ('lead.merged', 'lead.unmerged')) THEN 'merged'
      WHEN bool_or(type = 'lead.updated') THEN 'updated' ELSE 'recorded' END,
    'changes', (SELECT coalesce(json_agg(json_build_object('field', field, 'from', first, 'to', last) ORDER BY field), '[]') FROM (
      SELECT field, (array_agg(from_value ORDER BY tx, id))[1] AS first, (array_agg(to_value ORDER BY tx DESC, id DESC))[1] AS last
      FROM (SELECT tx, id, data ->> 'field' AS field, data -> 'from' AS from_value, data -> 'to' AS to_value FROM event
          WHERE project_id = ${project} AND change_id = ${change} AND lead_id = k.key AND type = 'lead.updated'
        UNION ALL SELECT i.tx, i.id, key, i.before -> key, i.after -> key FROM change_item i, jsonb_object_keys(coalesce(i.before, i.after)) AS key
          WHERE i.project_id = ${project} AND i.change_id = ${change} AND i.record_id = k.key AND i.kind = 'lead') AS set_values
      GROUP BY field) AS composed WHERE first IS DISTINCT FROM last),
    'events', count(*) FILTER (WHERE type NOT LIKE 'lead.%'), 'kept', '[]'::json)
  FROM (SELECT type FROM event WHERE project_id = ${project} AND change_id = ${change} AND lead_id = k.key
    UNION ALL SELECT 'lead.updated' FROM change_item i WHERE i.project_id = ${project} AND i.change_id = ${change}
      AND i.record_id = k.key AND i.kind = 'lead') AS types`;
