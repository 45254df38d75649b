import { newId } from "../../../core/id.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { recordChange } from "../../changes/record-change.ts";
import { OWN_TX, placeSql, toldSql } from "../../sql/feed-sql.ts";

const RECORDED = `SELECT id FROM event WHERE project_id = $1 AND change_id = $2 AND lead_id = ANY ($3) AND merged_from IS NULL
  AND type NOT LIKE 'lead.%' ORDER BY id FOR UPDATE`;

/** Withdrawn events stay as items of the undo, which brings them back if it is undone itself, and which the feed tells. */
const WITHDRAW = `WITH gone AS (
    DELETE FROM event USING unnest($2::text[], $3::text[]) AS given (event_id, item_id)
    WHERE project_id = $1 AND id = event_id RETURNING event.*, item_id
  ), ${OWN_TX}, held AS MATERIALIZED (SELECT id, version, ${toldSql("last_tx")} FROM lead
      WHERE project_id = $1 AND id IN (SELECT lead_id FROM gone)
  ), kept AS (
    INSERT INTO change_item (project_id, change_id, id, kind, record_id, before, told, tx, version, place)
    SELECT $1, $4, item_id, 'event', lead_id, to_jsonb(gone) - '{project_id,tx,place,item_id}'::text[], true,
      held.tx, held.version, ${placeSql("item_id", "held.version")} FROM gone JOIN held ON held.id = lead_id
    RETURNING octet_length(before::text) AS size
  ), moved AS (
    UPDATE lead SET last_tx = held.tx FROM held WHERE lead.project_id = $1 AND lead.id = held.id
  ), sized AS (
    UPDATE change SET bytes = bytes + (SELECT coalesce(sum(size), 0) FROM kept) WHERE project_id = $1 AND id = $4
  ) SELECT lead_id AS lead, max(least(occurred_at, recorded_at))::text AS latest, count(*)::int AS count FROM gone GROUP BY lead_id`;

/** The latest activity of a lead whose own was a withdrawn event is that of the events that are left. */
const ACTIVITY = `UPDATE lead SET last_activity_at = (
    SELECT max(least(e.occurred_at, e.recorded_at)) FROM event e
    WHERE e.project_id = $1 AND e.lead_id = lead.id AND e.type NOT LIKE 'lead.%' AND e.source IS DISTINCT FROM 'import')
  FROM jsonb_to_recordset($2::jsonb) AS g (lead text, latest timestamptz)
  WHERE project_id = $1 AND lead.id = g.lead AND last_activity_at = g.latest`;

/**
 * Withdraws what a change recorded on the timelines of these locked leads, without what a merge brought there; returns
 * the number by lead.
 */
export async function withdrawEvents(
  tx: Transaction,
  undo: Change,
  of: string,
  leads: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (leads.length === 0) return new Map();
  const { projectId } = undo.by;
  const events = (await tx.query<{ id: string }>(RECORDED, [projectId, of, leads])).map(({ id }) => id);
  if (events.length === 0) return new Map();
  await recordChange(tx, undo, {});
  const items = events.map(() => newId("evt"));
  const gone = await tx.query<{ lead: string; latest: string; count: number }>(WITHDRAW, [
    ...[projectId, events, items],
    undo.id,
  ]);
  await tx.query(ACTIVITY, [projectId, JSON.stringify(gone)]);
  const count = gone.reduce((sum, each) => sum + each.count, 0);
  await recordChange(tx, undo, { events_withdrawn: count });
  return new Map(gone.map((each) => [each.lead, each.count]));
}

/** The leads are locked. An event whose source has sent it again meanwhile stays as it is. */
const BRING_BACK = `WITH ${OWN_TX}, kept AS MATERIALIZED (
    SELECT i.id AS item, before, l.version, ${toldSql("l.last_tx")}
    FROM change_item i JOIN lead l ON l.project_id = $1 AND l.id = i.record_id AND l.merged_into_id IS NULL
    WHERE i.project_id = $1 AND i.change_id = $2 AND i.kind = 'event' AND i.record_id = ANY ($3)
  ), back AS (
    INSERT INTO event (project_id, id, lead_id, type, occurred_at, recorded_at, source, actor, title, data, external_id, merged_from, change_id, tx, version, place)
    SELECT $1, e.id, lead_id, type, occurred_at, recorded_at, source, actor, title, data, external_id, merged_from, $4,
      kept.tx, kept.version, ${placeSql("e.id", "kept.version")}
    FROM kept, jsonb_populate_record(NULL::event, before) AS e ORDER BY item ON CONFLICT DO NOTHING RETURNING *
  ), moved AS (
    UPDATE lead SET last_activity_at = greatest(last_activity_at, latest), last_tx = news.tx FROM (
      SELECT lead_id AS active, max(least(occurred_at, recorded_at)) AS latest, max(tx) AS tx FROM back GROUP BY lead_id) AS news
    WHERE lead.project_id = $1 AND lead.id = active
  ) SELECT lead_id AS lead, count(*)::int AS count FROM back GROUP BY lead_id`;

/** Brings back the events that an undo withdrew from these locked leads; returns the number by lead. */
export async function bringBackEvents(
  tx: Transaction,
  undo: Change,
  of: string,
  leads: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (leads.length === 0) return new Map();
  const back = await tx.query<{ lead: string; count: number }>(BRING_BACK, [
    undo.by.projectId,
    of,
    leads,
    undo.id,
  ]);
  const count = back.reduce((sum, each) => sum + each.count, 0);
  if (count > 0) await recordChange(tx, undo, { events_added: count });
  return new Map(back.map((each) => [each.lead, each.count]));
}
