import type { Actor } from "../../contract/basics/actor.ts";
import { newId } from "../../core/id.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { Change } from "../changes/change.ts";
import { SUBMISSION } from "../leads/write/keep-submission.ts";
import { OWN_TX, placeSql, toldSql } from "../sql/feed-sql.ts";

/** What another lead's timeline got from a lead that was merged with it, and lost again when the merge was undone. */
const MERGED_CHANGES = `DELETE FROM event e USING event m
  WHERE e.project_id = $1 AND m.project_id = $1 AND m.lead_id = ANY (ARRAY(
      SELECT winner_id FROM merge WHERE project_id = $1 AND loser_id = ANY ($2)
      UNION SELECT loser_id FROM merge WHERE project_id = $1 AND winner_id = ANY ($2)))
    AND m.type IN ('lead.merged', 'lead.unmerged') AND m.data ->> 'lead_id' = ANY ($2) AND m.lead_id <> ALL ($2)
    AND e.lead_id = m.lead_id AND e.tx = m.tx AND e.recorded_at = m.recorded_at AND e.type = 'lead.updated'`;

/** What another lead keeps of a submission that may have been about one of these. */
const SUBMISSIONS = `DELETE FROM event WHERE project_id = $1 AND type = '${SUBMISSION}' AND data -> 'leads' ?| $2::text[]`;

/** Why their opt-outs were changed. */
const REASONS = `UPDATE change SET about = about - 'reason' WHERE project_id = $1 AND about ? 'reason' AND id IN (
    SELECT change_id FROM event WHERE project_id = $1 AND lead_id = ANY ($2)
    UNION SELECT change_id FROM change_item WHERE project_id = $1 AND record_id = ANY ($2))`;

const EVENTS = "DELETE FROM event WHERE project_id = $1 AND lead_id = ANY ($2) RETURNING 1";
const MERGES = `DELETE FROM merge WHERE project_id = $1 AND (winner_id = ANY ($2) OR loser_id = ANY ($2)) RETURNING 1`;
const LEADS = "DELETE FROM lead WHERE project_id = $1 AND id = ANY ($2)";

/** A merge of an erased lead is not told any more. */
const MERGED = "DELETE FROM tombstone WHERE project_id = $1 AND lead_id = ANY ($2)";
const ITEMS = "DELETE FROM change_item WHERE project_id = $1 AND record_id = ANY ($2)";

const COUNT = (from: string): string => `WITH gone AS (${from}) SELECT count(*)::integer AS count FROM gone`;

/** The last word on each lead, for readers of the change feed. */
const TOMBSTONES = `WITH given AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($4::jsonb) AS g (id text, lead_id text)
  ), ${OWN_TX}, gone AS MATERIALIZED (
    SELECT given.id, lead_id, version, ${toldSql("last_tx")} FROM given JOIN lead ON lead.project_id = $1 AND lead.id = lead_id
  ), told AS (
    INSERT INTO tombstone (project_id, id, lead_id, type, source, actor, change_id, tx, version, place)
    SELECT $1, id, lead_id, 'lead.erased', $2, $3::jsonb, $5, tx, version, ${placeSql("id", "version")} FROM gone
  ) SELECT`;

/** How many records of a kind are gone. */
export interface ForgottenLeads {
  events: number;
  merges: number;
}

/** Deletes locked leads with their timelines and merges, and leaves `lead.erased` with each id in the feed. */
export async function forgetLeads(
  tx: Transaction,
  projectId: string,
  ids: readonly string[],
  change: Change,
  by: { source: string; actor: Actor },
): Promise<ForgottenLeads> {
  const count = async (text: string): Promise<number> =>
    (await tx.query<{ count: number }>(COUNT(text), [projectId, ids]))[0]?.count ?? 0;
  for (const told of [REASONS, MERGED_CHANGES, SUBMISSIONS]) await tx.query(told, [projectId, ids]);
  const events = await count(EVENTS);
  const merges = await count(MERGES);
  for (const gone of [MERGED, ITEMS]) await tx.query(gone, [projectId, ids]);
  const marks = ids.map((id) => ({ id: newId("evt"), lead_id: id }));
  const actor = JSON.stringify(by.actor);
  await tx.query(TOMBSTONES, [projectId, by.source, actor, JSON.stringify(marks), change.id]);
  await tx.query(LEADS, [projectId, ids]);
  return { events, merges };
}
