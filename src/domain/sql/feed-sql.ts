/** Where a statement reads the feed: SQL for the project's id, and the name of a table there. */
export interface FeedPlace {
  project: string;
  table(name: "event" | "tombstone" | "change_item" | "change"): string;
}

/** The number of a statement's transaction in the feed, as the part `own`. */
export const OWN_TX = "own AS MATERIALIZED (SELECT feed_tx(pg_current_xact_id()) AS tx)";

/**
 * SQL for where the feed tells what happens to a lead, from its locked row's `last_tx` and behind `own`: at `tx`, which is the greater of
 * the two; `late` if the lead's last event is from a later transaction (decision 44). The write sets `last_tx` to `tx`.
 */
export const toldSql = (lastTx: string): string =>
  `greatest((SELECT tx FROM own), ${lastTx}) AS tx, coalesce(${lastTx} > (SELECT tx FROM own), false) AS late`;

/** SQL for an event's `place` among those of the same `tx`: late ones follow by version, and what made a version before what left it. */
export const placeSql = (id: string, version: string, makes: "makes" | "leaves" = "leaves"): string =>
  `CASE WHEN late THEN 'z' || lpad((${version})::text, 10, '0') || '${makes === "makes" ? 0 : 1}' || ${id} END`;

const EVENT = `e.id, e.lead_id, e.type, e.occurred_at, e.recorded_at, e.source, e.actor, e.title, e.data,
  e.external_id, e.merged_from, e.version, e.change_id, NULL::jsonb AS before, NULL::jsonb AS after, e.tx`;

/** The last word on a lead that is gone: it was erased, or merged into another one. */
const TOMBSTONE = `e.id, e.lead_id, e.type, e.at AS occurred_at, e.at AS recorded_at, e.source, e.actor,
  CASE e.type WHEN 'lead.merged' THEN 'Merged into another lead' ELSE 'Lead erased' END AS title,
  CASE e.type WHEN 'lead.merged' THEN jsonb_build_object('survivor_id', e.survivor_id) ELSE '{}' END AS data,
  NULL AS external_id, NULL AS merged_from, e.version, e.change_id, NULL::jsonb AS before, NULL::jsonb AS after, e.tx`;

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
  NULL AS external_id, NULL AS merged_from, e.version, e.change_id,
  CASE WHEN NOT ${WITHDRAWN} THEN e.before END AS before, coalesce(e.after, '{}') AS after, e.tx`;

/**
 * Returns a subquery for the first `limit` rows of the feed between two positions, in its order: by `tx`, then by `place`, which is the id
 * for all but late events. `after` is SQL for a position, `before` for a `tx`. Each table is read by its two indexes.
 */
export function feedRowsSql(
  { project, table }: FeedPlace,
  { after, before, limit }: { after: readonly [tx: string, place: string]; before: string; limit: string },
): string {
  const rows = (columns: string, from: string, place: "id" | "place", more: string) =>
    `(SELECT ${columns}, e.${place} AS place FROM ${from} e
      WHERE e.project_id = ${project} AND (e.tx, e.${place}) > (${after.join(", ")}) AND e.tx < ${before}
        AND e.place IS ${place === "id" ? "NULL" : "NOT NULL"}${more} ORDER BY e.tx, e.${place} LIMIT ${limit})`;
  const of = (columns: string, from: string, more = "") => [
    rows(columns, from, "id", more),
    rows(columns, from, "place", more),
  ];
  const sources = [
    ...of(EVENT, table("event")),
    ...of(TOMBSTONE, table("tombstone")),
    ...of(ITEM, table("change_item"), " AND e.told"),
  ];
  return `SELECT e.* FROM (${sources.join(" UNION ALL ")}) AS e ORDER BY e.tx, e.place LIMIT ${limit}`;
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
    e.version, e.change_id, ${CHANGES} AS changes) AS shown)`;
}
