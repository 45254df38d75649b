/** Where a statement reads the feed: SQL for the project's id, and the name of a table there. */
export interface FeedPlace {
  project: string;
  table(name: "event" | "tombstone" | "change_item" | "change"): string;
}

const EVENT = `e.id, e.lead_id, e.type, e.occurred_at, e.recorded_at, e.source, e.actor, e.title, e.data,
  e.external_id, e.merged_from, e.change_id, NULL::jsonb AS before, NULL::jsonb AS after, e.tx`;

/** The last word on a lead that is gone: it was erased, or merged into another one. */
const TOMBSTONE = `e.id, e.lead_id, e.type, e.at AS occurred_at, e.at AS recorded_at, e.source, e.actor,
  CASE e.type WHEN 'lead.merged' THEN 'Merged into another lead' ELSE 'Lead erased' END AS title,
  CASE e.type WHEN 'lead.merged' THEN jsonb_build_object('survivor_id', e.survivor_id) ELSE '{}' END AS data,
  NULL AS external_id, NULL AS merged_from, e.change_id, NULL::jsonb AS before, NULL::jsonb AS after, e.tx`;

/**
 * What no event has: a change of untracked fields, and an event that an undo took off its timeline. Source and actor are
 * those of the change.
 */
const WITHDRAWN = "e.kind = 'event'";
const ITEM = `e.id, e.record_id AS lead_id,
  CASE WHEN ${WITHDRAWN} THEN 'lead.event_withdrawn' ELSE 'lead.updated' END AS type,
  e.at AS occurred_at, e.at AS recorded_at, NULL AS source, NULL::jsonb AS actor,
  CASE WHEN ${WITHDRAWN} THEN 'Event withdrawn' ELSE 'Untracked fields changed' END AS title,
  CASE WHEN ${WITHDRAWN} THEN jsonb_build_object('event_id', e.before -> 'id') ELSE '{}' END AS data,
  NULL AS external_id, NULL AS merged_from, e.change_id,
  CASE WHEN NOT ${WITHDRAWN} THEN e.before END AS before, coalesce(e.after, '{}') AS after, e.tx`;

/**
 * Returns a subquery for the first `limit` rows of the feed that fulfil `condition` on `e.tx` and `e.id`, in the order
 * of transactions; each table is read by its index.
 */
export function feedRowsSql({ project, table }: FeedPlace, condition: string, limit: string): string {
  const rows = (columns: string, from: string, more = "") => `(SELECT ${columns} FROM ${from} e
    WHERE e.project_id = ${project} AND ${condition}${more} ORDER BY e.tx, e.id LIMIT ${limit})`;
  const sources = [
    rows(EVENT, table("event")),
    rows(TOMBSTONE, table("tombstone")),
    rows(ITEM, table("change_item"), " AND e.told"),
  ];
  return `SELECT e.* FROM (${sources.join(" UNION ALL ")}) AS e ORDER BY e.tx, e.id LIMIT ${limit}`;
}

/** Events whose data are one changed field. */
const OF_FIELD = "e.type IN ('lead.updated', 'lead.deleted', 'lead.restored') AND e.data ? 'field'";

const CHANGES = `CASE WHEN e.after IS NOT NULL THEN (SELECT coalesce(jsonb_agg(
      jsonb_build_object('field', key, 'from', e.before -> key, 'to', e.after -> key) ORDER BY key COLLATE "C"), '[]')
    FROM jsonb_object_keys(coalesce(e.before, '{}') || e.after) AS key)
  WHEN ${OF_FIELD} THEN jsonb_build_array(
    jsonb_build_object('field', e.data -> 'field', 'from', e.data -> 'from', 'to', e.data -> 'to'))
  ELSE '[]' END`;

/** Returns SQL for row `e` of `feedRowsSql` as the JSON text of a FeedEvent. */
export function feedEventSql({ project, table }: FeedPlace): string {
  const own = (column: "surface" | "actor") => `(SELECT c.${column} FROM ${table("change")} c
    WHERE c.project_id = ${project} AND c.id = e.change_id)`;
  const of = (column: "source" | "actor", made: string) =>
    `CASE WHEN e.after IS NULL THEN e.${column} ELSE ${made} END AS ${column}`;
  return `(SELECT row_to_json(shown)::text FROM (SELECT e.id, e.lead_id, e.type, e.occurred_at, e.recorded_at,
    ${of("source", own("surface"))}, ${of("actor", own("actor"))}, e.title, e.data, e.external_id, e.merged_from,
    e.change_id, ${CHANGES} AS changes) AS shown)`;
}
