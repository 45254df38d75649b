import { NEW_LEAD_VALUES, WRITABLE } from "../../../contract/lists/written-fields.ts";
import { newId } from "../../../core/id.ts";
import type { ProjectDb } from "../../../db/pool/database.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { shownLead } from "../../fields/shown-lead.ts";
import { actorSql, sourceOf } from "../../operation/actor.ts";
import { Parameters } from "../../sql/parameters.ts";
import type { Credential } from "../../tenancy/credential.ts";
import type { Written } from "./write-outcome.ts";

const GIVEN = [...WRITABLE.keys(), "phone_e164", "custom"];

/** SQL for the values of a new lead's columns that must not be null. */
const BLANKS = new Map(
  Object.entries(NEW_LEAD_VALUES).map(([name, blank]) => [
    name,
    Array.isArray(blank) ? "'{}'" : String(blank),
  ]),
);

/**
 * Creates leads with their `lead.created` events, in one statement, all or nothing. A single lead is returned as a
 * record.
 */
export async function insertLeads(
  db: Pick<ProjectDb, "query">,
  caller: Credential,
  leads: readonly { place: number; patch: LeadPatch }[],
): Promise<Written[]> {
  if (leads.length === 0) return [];
  const given = leads.map(({ place, patch }) => ({
    place,
    id: newId("lead"),
    event: newId("evt"),
    lead: patch,
  }));
  const parameters = new Parameters();
  const project = parameters.text(caller.projectId);
  const status = `coalesce(r.status, (SELECT statuses[1] FROM project WHERE project_id = ${project}), 'new')`;
  const values = GIVEN.map((column) => {
    if (column === "status") return status;
    if (column === "custom") return "jsonb_strip_nulls(coalesce(r.custom, '{}'))";
    const blank = BLANKS.get(column);
    return blank === undefined ? `r.${column}` : `coalesce(r.${column}, ${blank})`;
  });
  const [joined, json] =
    leads.length > 1
      ? ["", "NULL"]
      : [" JOIN fresh ON fresh.id = given.id", shownLead("fresh", caller, parameters)];
  const text = `WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${parameters.add(JSON.stringify(given))}::jsonb) AS g (place integer, id text, event text, lead jsonb)
  ), fresh AS (
    INSERT INTO lead (project_id, id, ${GIVEN.join(", ")})
    SELECT ${project}, given.id, ${values.join(", ")}
    FROM given, jsonb_populate_record(NULL::lead, given.lead) AS r ORDER BY place RETURNING *
  ), told AS (
    INSERT INTO event (project_id, id, lead_id, type, occurred_at, source, actor, title)
    SELECT ${project}, event, id, 'lead.created', moment(), ${parameters.text(sourceOf(caller))},
      ${actorSql(caller, parameters)}, 'Lead created' FROM given
  )
  SELECT place, given.id, 'created' AS outcome, 1 AS version, ${json} AS json FROM given${joined} ORDER BY place`;
  return await db.query<Written>(text, parameters.values, { prepare: true });
}
