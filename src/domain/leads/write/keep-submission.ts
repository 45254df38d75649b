import { newId } from "../../../core/id.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Change, made, sourceOfEvents } from "../../changes/change.ts";
import { authorSql, changeSql } from "../../changes/record-change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { OWN_TX, placeSql, toldSql } from "../../sql/feed-sql.ts";
import { Parameters } from "../../sql/parameters.ts";
import type { Unwritten } from "./plan-upserts.ts";

/** The event of a submission that may be about several leads: `data` has what was given and the ids of the leads. */
export const SUBMISSION = "submission.conflicted";

/**
 * Keeps what somebody submitted who may only create leads, where the service does not choose between several: as an event of the lead
 * of the most reliable identifier. Nothing of the leads is changed.
 */
export async function keepSubmission(
  tx: Transaction,
  change: Change,
  { phone_e164: _, ...given }: LeadPatch,
  { among }: Unwritten,
): Promise<void> {
  const ids = [...new Set(among.map(({ id }) => id))];
  const [first] = among[0]?.identifier === among[1]?.identifier ? [...ids].sort() : ids;
  if (first === undefined) throw new Error("a submission that is kept has no lead");
  change.leadId = first;
  const parameters = new Parameters();
  const project = parameters.text(change.by.projectId);
  const id = parameters.text(newId("evt"));
  const [lead, data] = [parameters.text(first), parameters.text(JSON.stringify({ given, leads: ids }))];
  const text = `WITH ${authorSql(change, parameters)}, ${OWN_TX}, locked AS MATERIALIZED (
    SELECT version, last_tx FROM lead WHERE project_id = ${project} AND id = ${lead} FOR NO KEY UPDATE
  ), held AS MATERIALIZED (SELECT version, ${toldSql("last_tx")} FROM locked
  ), told AS (
    INSERT INTO event (project_id, id, lead_id, type, occurred_at, source, actor, title, data, change_id, tx, version, place)
    SELECT ${project}, ${id}, ${lead}, '${SUBMISSION}', moment(), ${parameters.text(sourceOfEvents(change))},
      author.actor, 'Submission fits several leads', ${data}::jsonb, ${parameters.text(change.id)}, tx, version, ${placeSql(id, "version")} FROM author, held
  ), moved AS (
    UPDATE lead SET last_activity_at = moment(), last_tx = held.tx FROM held WHERE project_id = ${project} AND id = ${lead}
  ), ${changeSql(change, parameters, { counts: `'{"events_added": 1}'::jsonb` })} SELECT FROM author`;
  await tx.query(text, parameters.values);
  made(change, { event: 1 });
}
