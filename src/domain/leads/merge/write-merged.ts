import type { ChangeCount } from "../../../contract/lists/changes.ts";
import { WRITABLE } from "../../../contract/lists/written-fields.ts";
import { newId } from "../../../core/id.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Change, surfaceOf } from "../../changes/change.ts";
import { shownLead } from "../../fields/shown-lead.ts";
import { maySql } from "../../operation/may-sql.ts";
import { Parameters } from "../../sql/parameters.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { changeEventsSql } from "../write/change-events.ts";
import type { FieldChange, LeadRow } from "./merge-values.ts";

const COLUMNS = [...WRITABLE.keys(), "phone_e164", "custom", "created_at", "last_activity_at"];

/** These columns record when things happened, so their changes are not timeline events. */
const UNTOLD = new Set(["created_at", "last_activity_at"]);

/** The timeline event of the merge or of its undo. */
export interface MergeEvent {
  type: "lead.merged" | "lead.unmerged";
  title: string;
  data: Record<string, unknown>;
}

/** A lead after a merge or its undo, and whether the caller may read what changed. */
interface MergedRecord {
  json: string;
  mayRead: boolean;
}

/**
 * Writes what a merge or its undo changes of a locked lead, with timeline events; returns the record as text. An undo that is
 * continued has no `event` of its own.
 */
export async function writeMerged(
  tx: Transaction,
  change: Change,
  caller: Credential,
  lead: LeadRow,
  changes: readonly FieldChange[],
  event?: MergeEvent,
): Promise<MergedRecord> {
  const parameters = new Parameters();
  const project = parameters.text(caller.projectId);
  const told = changes.filter(({ field }) => !UNTOLD.has(field));
  // Sorted, so that the merge event is the last of the events with the same time. One more for untracked fields.
  const ids = [...told, event, event].map(() => newId("evt")).sort();
  const id = parameters.text(lead.id);
  const counted = event === undefined ? "leads_updated" : COUNTED[event.type];
  const text = `WITH decided AS MATERIALIZED (
    SELECT id, jsonb_populate_record(lead, ${parameters.add(JSON.stringify(effectOf(lead, changes)))}::jsonb) AS after,
      greatest(moment(), updated_at + interval '1 microsecond') AS at,
      ARRAY(SELECT jsonb_array_elements(${parameters.add(JSON.stringify(told))}::jsonb)) AS changes,
      ${parameters.add(JSON.stringify(ids))}::jsonb AS events
    FROM lead WHERE project_id = ${project} AND id = ${id}
  ), written AS (
    UPDATE lead SET ${COLUMNS.map((column) => `${column} = (after).${column}`).join(", ")},
      version = version + 1, updated_at = at
    FROM decided WHERE lead.project_id = ${project} AND lead.id = decided.id RETURNING lead.*
  ), ${changeEventsSql("decided", change, parameters, `jsonb_build_object('${counted}', 1)`)}
  ${event === undefined ? "" : `, ${mergedSql(event, change, ids.at(-2) ?? "", parameters)}`} SELECT ${shownLead("written", caller, parameters)} AS json, ${maySql(caller, parameters, "leads:read")} AS "mayRead" FROM written`;
  const [row] = await tx.query<MergedRecord>(text, parameters.values);
  if (row === undefined) throw new Error("a lead that is locked was not found");
  change.made = true;
  return row;
}

const mergedSql = (
  { type, title, data }: MergeEvent,
  change: Change,
  id: string,
  parameters: Parameters,
) => `merged AS (
    INSERT INTO event (project_id, id, lead_id, type, occurred_at, recorded_at, source, actor, title, data, change_id)
    SELECT ${parameters.text(change.by.projectId)}, ${parameters.text(id)}, id, ${parameters.text(type)}, at, at,
      ${parameters.text(surfaceOf(change.by))}, (SELECT actor FROM author), ${parameters.text(title)},
      ${parameters.add(JSON.stringify(data))}::jsonb, ${parameters.text(change.id)} FROM decided)`;

const COUNTED: Record<MergeEvent["type"], ChangeCount> = {
  "lead.merged": "leads_merged",
  "lead.unmerged": "leads_separated",
};

/** The new values of the columns; custom fields are one column. */
function effectOf({ custom }: LeadRow, changes: readonly FieldChange[]): Record<string, unknown> {
  const values = new Map(Object.entries(custom));
  const effect: [string, unknown][] = [];
  for (const { field, to } of changes) {
    if (!field.startsWith("custom.")) effect.push([field, to]);
    else if (to === null) values.delete(field.slice(7));
    else values.set(field.slice(7), to);
  }
  return Object.fromEntries([...effect, ["custom", Object.fromEntries(values)]]);
}
