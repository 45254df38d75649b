import type { ChangeKind } from "../../../contract/lists/changes.ts";
import type { IdentityName } from "../../../contract/lists/identities.ts";
import { NEW_LEAD_VALUES, WRITABLE } from "../../../contract/lists/written-fields.ts";
import { newId } from "../../../core/id.ts";
import type { ProjectDb } from "../../../db/pool/database.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";
import { type Change, surfaceOf } from "../../changes/change.ts";
import { authorSql, changeSql } from "../../changes/record-change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { shownLead } from "../../fields/shown-lead.ts";
import { Parameters } from "../../sql/parameters.ts";
import { holdersOf, UNLESS_TAKEN } from "../identity/external-id.ts";
import { IDENTITY_SQL, type Identities } from "../identity/identity.ts";
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
 * Creates leads with their `lead.created` events, in one statement. A lead whose external id another one has is not
 * created (`taken`); the others are. A single lead is returned as a record. `ahead` are sent before the
 * statement. Nothing is created if a lead has one of the identities in `unless`.
 */
export async function insertLeads(
  db: Pick<ProjectDb, "query">,
  change: Change,
  leads: readonly { place: number; patch: LeadPatch }[],
  { ahead, unless = {} }: { ahead?: readonly Statement[]; unless?: Identities } = {},
): Promise<Written[]> {
  if (leads.length === 0) return [];
  const given = leads.map(({ place, patch }) => ({
    place,
    id: newId("lead"),
    event: newId("evt"),
    lead: patch,
  }));
  const parameters = new Parameters();
  const { by } = change;
  const [only, ...more] = given;
  if (only !== undefined && more.length === 0 && ONE_LEAD.has(change.kind)) change.leadId = only.id;
  const project = parameters.text(by.projectId);
  const status = "coalesce(r.status, (SELECT first FROM status), 'new')";
  const values = GIVEN.map((column) => {
    if (column === "status") return status;
    if (column === "custom") return "jsonb_strip_nulls(coalesce(r.custom, '{}'))";
    const blank = BLANKS.get(column);
    return blank === undefined ? `r.${column}` : `coalesce(r.${column}, ${blank})`;
  });
  const json =
    leads.length > 1 || by.kind === "named"
      ? "NULL"
      : `CASE WHEN fresh.id IS NOT NULL THEN ${shownLead("fresh", by, parameters)} END`;
  const text = `WITH given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${parameters.add(JSON.stringify(given))}::jsonb) AS g (place integer, id text, event text, lead jsonb)
    ${unlessSql(unless, project, parameters)}
  ), status AS MATERIALIZED (SELECT statuses[1] AS first FROM project WHERE project_id = ${project}
  ), fresh AS (
    INSERT INTO lead (project_id, id, created_at, ${GIVEN.join(", ")})
    SELECT ${project}, given.id, coalesce(r.created_at, moment()), ${values.join(", ")}
    FROM given, jsonb_populate_record(NULL::lead, given.lead) AS r ORDER BY r.external_id, place ${UNLESS_TAKEN} RETURNING *
  ), ${authorSql(change, parameters)}, told AS (
    INSERT INTO event (project_id, id, lead_id, type, occurred_at, source, actor, title, change_id)
    SELECT ${project}, event, given.id, 'lead.created', fresh.created_at, ${parameters.text(surfaceOf(by))},
      (SELECT actor FROM author), 'Lead created', ${parameters.text(change.id)} FROM given JOIN fresh ON fresh.id = given.id
  ), ${changeSql(change, parameters, { counts: COUNTS })}
  SELECT place, given.id, CASE WHEN fresh.id IS NULL THEN 'taken' ELSE 'created' END AS outcome, 1 AS version, ${json} AS json
  FROM given LEFT JOIN fresh ON fresh.id = given.id ORDER BY place`;
  const written = await db.query<Written>(text, parameters.values, {
    prepare: true,
    grouped: leads.length === 1 ? "write" : undefined,
    ahead,
  });
  if (written.some(({ outcome }) => outcome === "created")) change.made = true;
  return await withHolders(db, by.projectId, leads, written);
}

/** Leads are counted, because PostgreSQL would hope to meet one soon in an index of all leads. */
function unlessSql(unless: Identities, project: string, parameters: Parameters): string {
  const conditions = Object.entries(unless).map(
    ([name, value]) => `(SELECT count(*) FROM lead WHERE project_id = ${project} AND deleted_at IS NULL
      AND ${IDENTITY_SQL[name as IdentityName](parameters.text(value))}) = 0`,
  );
  return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
}

/** Kinds of changes that are about one lead, which is known only when it is written. */
const ONE_LEAD: ReadonlySet<ChangeKind> = new Set<ChangeKind>(["lead.create", "lead.upsert"]);

const COUNTS = "(SELECT jsonb_build_object('leads_created', count(*)) FROM fresh HAVING count(*) > 0)";

/** Adds the holders of external ids; a holder may have committed after the INSERT began, so they are read after it. */
async function withHolders(
  db: Pick<ProjectDb, "query">,
  projectId: string,
  leads: readonly { place: number; patch: LeadPatch }[],
  written: Written[],
): Promise<Written[]> {
  const taken = new Set(written.flatMap(({ outcome, place }) => (outcome === "taken" ? [place] : [])));
  if (taken.size === 0) return written;
  const wanted = new Map(leads.map(({ place, patch }) => [place, String(patch.external_id)]));
  const holders = await holdersOf(
    db,
    projectId,
    [...taken].map((place) => wanted.get(place) ?? ""),
  );
  return written.map((one) =>
    taken.has(one.place)
      ? { ...one, version: null, holder: holders.get(wanted.get(one.place) ?? "") ?? null }
      : one,
  );
}
