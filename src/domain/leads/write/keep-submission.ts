import { newId } from "../../../core/id.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Change, sourceOfEvents } from "../../changes/change.ts";
import { authorSql, changeSql } from "../../changes/record-change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
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
  const [lead, data] = [parameters.text(first), parameters.text(JSON.stringify({ given, leads: ids }))];
  const text = `WITH ${authorSql(change, parameters)}, told AS (
    INSERT INTO event (project_id, id, lead_id, type, occurred_at, source, actor, title, data, change_id)
    SELECT ${project}, ${parameters.text(newId("evt"))}, ${lead}, '${SUBMISSION}', moment(), ${parameters.text(sourceOfEvents(change))},
      author.actor, 'Submission fits several leads', ${data}::jsonb, ${parameters.text(change.id)} FROM author
  ), moved AS (
    UPDATE lead SET last_activity_at = moment() WHERE project_id = ${project} AND id = ${lead}
  ), ${changeSql(change, parameters, { counts: `'{"events_added": 1}'::jsonb` })} SELECT FROM author`;
  await tx.query(text, parameters.values);
  change.made = true;
}
