import type { Actor } from "../../../contract/basics/actor.ts";
import { newId } from "../../../core/id.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { recordChange } from "../../changes/record-change.ts";
import { type ArrayColumn, columnArrays } from "../../sql/column-arrays.ts";
import { OWN_TX, placeSql, toldSql } from "../../sql/feed-sql.ts";
import type { RowEvent } from "../mapping/row-events.ts";

/** Leads that a batch wrote, or that a dry run remembers of earlier batches, with the keys of the events that they got. */
export type Remembered = ReadonlyMap<string, ReadonlySet<string>>;

/** An event of a row of a batch, and the lead whose timeline it is for. */
export interface EventOfRow extends RowEvent {
  place: number;
  leadId: string;
}

/** The keys of leads' events, with one lookup per lead: the planner would read all events for a list that it cannot see. */
const KEYS = `SELECT given.lead_id, keys FROM unnest($2::text[]) AS given (lead_id) CROSS JOIN LATERAL (
    SELECT array_agg(external_id) AS keys FROM event
    WHERE project_id = $1 AND event.lead_id = given.lead_id AND external_id IS NOT NULL OFFSET 0) AS known
  WHERE keys IS NOT NULL`;

/** Returns the events that their leads do not have yet; `isNew` says that this batch created the lead. */
export async function newEventsOf(
  tx: Transaction,
  projectId: string,
  events: readonly (EventOfRow & { isNew: boolean })[],
  remembered: Remembered,
): Promise<EventOfRow[]> {
  const fresh = new Set(events.flatMap(({ leadId, isNew }) => (isNew ? [leadId] : [])));
  const stored = [...new Set(events.map(({ leadId }) => leadId))].filter((id) => !fresh.has(id));
  const found =
    stored.length === 0 ? [] : await tx.query<{ lead_id: string; keys: string[] }>(KEYS, [projectId, stored]);
  const known = new Map(found.map(({ lead_id: id, keys }) => [id, new Set(keys)]));
  return events.filter(({ leadId, key }) => {
    const keys = known.get(leadId) ?? new Set<string>();
    known.set(leadId, keys);
    if (keys.has(key) || remembered.get(leadId)?.has(key) === true) return false;
    keys.add(key);
    return true;
  });
}

const COLUMNS: readonly ArrayColumn<EventOfRow>[] = [
  ["id", "text", () => newId("evt")],
  ["lead_id", "text", ({ leadId }) => leadId],
  ["type", "text", ({ type }) => type],
  ["title", "text", ({ title }) => title],
  ["data", "jsonb", ({ data }) => data],
  ["external_id", "text", ({ key }) => key],
  ["milliseconds", "double precision", ({ at }) => at],
];

/** Stores events of rows. */
export async function writeEvents(
  tx: Transaction,
  change: Change,
  actor: Actor,
  events: readonly EventOfRow[],
): Promise<void> {
  if (events.length === 0) return;
  const arrays = columnArrays(COLUMNS, events);
  const text = `WITH given AS MATERIALIZED (SELECT * FROM ${arrays.sql(5)} AS g
  ), ${OWN_TX}, locked AS MATERIALIZED (
    SELECT id, version, last_tx FROM lead WHERE project_id = $1 AND id = ANY ($4) ORDER BY id FOR NO KEY UPDATE
  ), held AS MATERIALIZED (SELECT id AS held_id, version, ${toldSql("last_tx")} FROM locked
  ), told AS (
    INSERT INTO event (project_id, id, lead_id, type, title, data, external_id, occurred_at, source, actor, change_id, tx, version, place)
    SELECT $1, id, lead_id, type, title, data, external_id, to_timestamp(milliseconds / 1000), 'import', $2::jsonb, $3,
      tx, version, ${placeSql("id", "version")}
    FROM given JOIN held ON held_id = lead_id
  ), moved AS (
    UPDATE lead SET last_tx = held.tx FROM held
    WHERE lead.project_id = $1 AND lead.id = held_id AND (last_tx IS NULL OR last_tx < held.tx)
  ) SELECT`;
  const leads = [...new Set(events.map(({ leadId }) => leadId))];
  await tx.query(text, [change.by.projectId, JSON.stringify(actor), change.id, leads, ...arrays.values]);
  await recordChange(tx, change, { events_added: events.length });
}
