import { newId } from "../../core/id.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { type Change, made, surfaceOf } from "../changes/change.ts";
import { authorSql, changeSql } from "../changes/record-change.ts";
import { maySql } from "../operation/may-sql.ts";
import { OWN_TX, placeSql, toldSql } from "../sql/feed-sql.ts";
import { NOT_DELETED } from "../sql/not-deleted.ts";
import { Parameters } from "../sql/parameters.ts";
import type { Credential } from "../tenancy/credential.ts";
import type { NewEvent } from "./read-new-event.ts";
import { shownEvent } from "./shown-event.ts";

/** An event of a lead, at its place in a call. */
export interface EventOfLead {
  place: number;
  lead_id: string;
  event: NewEvent;
}

/** The result for an event; `json` is the record as text. */
export interface RecordedEvent {
  place: number;
  outcome: "created" | "unchanged" | "missing";
  lead_id: string;
  id: string | null;
  json: string | null;
  /** Whether the caller may write leads; one that may only create them learns nothing of the outcome. */
  mayWrite: boolean;
}

/**
 * Writes events of leads in one statement, all or nothing. Leads are locked in the order of ids; an event that
 * exists already, by source and key, is returned and not written again. `last_activity_at` moves forward, at most
 * to now; the lead's version does not change.
 */
export async function recordEvents(
  db: Pick<ProjectDb, "query">,
  change: Change,
  caller: Credential,
  events: readonly EventOfLead[],
): Promise<RecordedEvent[]> {
  if (events.length === 0) return [];
  const own = surfaceOf(change.by);
  // Ids are sorted so that simultaneous events appear on the timeline in the order in which they were given.
  const ids = events.map(() => newId("evt")).sort();
  const given = events.map(({ event, ...ref }, i) => ({
    ...ref,
    ...event,
    source: event.source ?? own,
    id: ids[i],
  }));
  const parameters = new Parameters();
  const project = parameters.text(caller.projectId);
  const mayRead = maySql(caller, parameters, "leads:read");
  const mayWrite = caller.kind === "key" ? maySql(caller, parameters, "leads:write") : "true";
  // Events may be large, so their data is taken from `placed`: a cluster sends what a part returns to each part that reads it.
  const text = `WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${parameters.add(JSON.stringify(given))}::jsonb) AS g (place integer, id text, lead_id text,
      type text, occurred_at timestamptz, title text, data jsonb, source text, external_id text)
  ), ${OWN_TX}, locked AS MATERIALIZED (
    SELECT id, deleted_at, merged_into_id, version, last_tx FROM lead WHERE project_id = ${project}
      AND id = ANY (${parameters.texts([...new Set(events.map((each) => each.lead_id))])}) ORDER BY id FOR NO KEY UPDATE
  ), held AS MATERIALIZED (SELECT id, version, ${toldSql("last_tx")} FROM locked WHERE ${NOT_DELETED}
  ), placed AS MATERIALIZED (
    SELECT given.place, given.id, type, occurred_at, title, source, external_id, held.id AS owner, tx, late, version,
      CASE WHEN external_id IS NOT NULL THEN known_event(${project}, held.id, external_id, source) END AS known,
      first_value(given.id) OVER same AS first, first_value(data) OVER same AS data
    FROM given JOIN held ON held.id = given.lead_id JOIN project ON project_id = ${project}
    WINDOW same AS (PARTITION BY held.id, external_id, source, CASE WHEN external_id IS NULL THEN given.id END ORDER BY given.place)
  ), ${authorSql(change, parameters)}, written AS (
    INSERT INTO event (project_id, id, lead_id, type, occurred_at, source, actor, title, data, external_id, change_id, tx, version, place)
    SELECT ${project}, id, owner, type, coalesce(occurred_at, moment()), source, (SELECT actor FROM author), title, data, external_id,
      ${parameters.text(change.id)}, tx, version, ${placeSql("id", "version")}
    FROM placed WHERE (known).id IS NULL AND first = id ORDER BY place
    RETURNING id, lead_id, type, occurred_at, recorded_at, source, actor, title, external_id, merged_from, version, change_id, tx
  ), moved AS (
    UPDATE lead SET last_activity_at = greatest(last_activity_at, latest), last_tx = news.tx
    FROM (SELECT lead_id AS active, least(max(occurred_at), moment()) AS latest, max(tx) AS tx FROM written GROUP BY lead_id) AS news
    WHERE lead.project_id = ${project} AND lead.id = active
  ), ${changeSql(change, parameters, { counts: COUNTS })}
  SELECT given.place, given.lead_id, coalesce((known).id, made.id) AS id,
    CASE WHEN owner IS NULL THEN 'missing' WHEN made.id = placed.id THEN 'created' ELSE 'unchanged' END AS outcome,
    CASE WHEN (known).id IS NOT NULL THEN ${shownEvent("(known)", mayRead)}
      WHEN made.id IS NOT NULL THEN ${shownEvent("made", mayRead)} END AS json, ${mayWrite} AS "mayWrite"
  FROM given LEFT JOIN placed ON placed.place = given.place LEFT JOIN written ON written.id = placed.first
    CROSS JOIN LATERAL (SELECT written.*, placed.data) AS made
  ORDER BY given.place`;
  const recorded = await db.query<RecordedEvent>(text, parameters.values, { prepare: true });
  const created = recorded.filter(({ outcome }) => outcome === "created").length;
  if (created > 0) made(change, { event: created });
  return recorded;
}

const COUNTS = "(SELECT jsonb_build_object('events_added', count(*)) FROM written HAVING count(*) > 0)";
