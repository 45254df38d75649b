import { isoMoment } from "../../../core/moment.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { eventLoopYielder } from "../../values/event-loop.ts";
import { CUSTOM, type Patch, type Value } from "../../values/value.ts";
import type { ReadRow } from "../mapping/row-reader.ts";
import type { DryLeads } from "./dry-leads.ts";
import { columnsOf, LeadIdentityMap, type MappedLead } from "./lead-identity-map.ts";

/**
 * Locks and reads the leads that the rows may refer to, with the keys of their events. A dry run adds the leads
 * that its earlier rows would have created or changed.
 */
export async function findLeads(
  tx: Transaction,
  projectId: string,
  fields: readonly string[],
  rows: readonly ReadRow[],
  dry?: DryLeads,
): Promise<LeadIdentityMap> {
  const patches = rows.flatMap((row) => (row.kind === "filled" ? [row.patch] : []));
  const columns = columnsOf(fields);
  const phones = texts(patches.filter(hasNoName), "phone_e164");
  const emails = texts(patches, "email").map((email) => email.toLowerCase());
  const identities = [projectId, texts(patches, "external_id"), emails];
  const found = await tx.query<Record<string, unknown> & { id: string }>(
    `SELECT id, ${columns.join(", ")} FROM lead
     WHERE project_id = $1 AND ${LIVING} AND id = ANY(ARRAY(
       ${known("external_id", 2)} UNION ${known("lower(email)", 3)} UNION ${known("id", 4)}
       ${phones.length > 0 ? `UNION ${known("phone_e164", 5)}` : ""}))
     ORDER BY id FOR NO KEY UPDATE`,
    [...identities.slice(0, 3), texts(patches, "id"), ...(phones.length > 0 ? [phones] : [])],
  );
  const keys = rows.some((row) => row.kind === "filled" && row.events.length > 0)
    ? await eventKeys(
        tx,
        projectId,
        found.map(({ id }) => id),
      )
    : new Map<string, Set<string>>();
  const identityMap = new LeadIdentityMap();
  const yieldIfDue = eventLoopYielder();
  const remembered = await dry?.find(
    found.map(({ id }) => id),
    { external: texts(patches, "external_id"), emails, phones },
  );
  for (const row of found) {
    await yieldIfDue();
    const known = remembered?.get(row.id);
    const events = keys.get(row.id) ?? new Set<string>();
    for (const key of known?.keys ?? []) events.add(key);
    remembered?.delete(row.id);
    const lead = mappedLead(row.id, valuesOf(known ?? row, columns), events);
    identityMap.add(known === undefined ? lead : { ...lead, touched: true });
  }
  for (const [id, { fresh, keys: own, ...row }] of remembered ?? []) {
    // A fresh lead is not stored; any other got the matching identity from an earlier row.
    const lead = mappedLead(id, valuesOf(row, columns), new Set(own));
    identityMap.add(fresh ? { ...lead, phantom: true, touched: true } : { ...lead, touched: true });
  }
  return identityMap;
}

/**
 * Selects the ids of leads by a list of values, with one index lookup each (OFFSET 0): planning a long list takes
 * longer than the search, and on new tables the planner reads all leads of the project for a list that it cannot
 * see.
 */
const known = (what: string, list: number): string =>
  `SELECT known.id FROM unnest($${list}::text[]) AS given (identity) CROSS JOIN LATERAL (
     SELECT id FROM lead WHERE project_id = $1 AND ${what} = given.identity AND ${LIVING} OFFSET 0) AS known`;

/** The same as NOT_DELETED, but no condition of an index: on new tables the planner would take one of those for the lookups. */
const LIVING = "coalesce(deleted_at::text, merged_into_id) IS NULL";

const texts = (patches: readonly Patch[], field: string): string[] =>
  patches.map((patch) => patch.get(field)).filter((value) => typeof value === "string");

/** Reads the keys of leads' events, with one lookup per lead for the same reason as in `known`. */
async function eventKeys(
  tx: Transaction,
  projectId: string,
  leads: string[],
): Promise<Map<string, Set<string>>> {
  if (leads.length === 0) return new Map();
  const found = await tx.query<{ lead_id: string; keys: string[] }>(
    `SELECT given.lead_id, keys FROM unnest($2::text[]) AS given (lead_id) CROSS JOIN LATERAL (
       SELECT array_agg(external_id) AS keys FROM event
       WHERE project_id = $1 AND event.lead_id = given.lead_id AND external_id IS NOT NULL OFFSET 0) AS known
     WHERE keys IS NOT NULL`,
    [projectId, leads],
  );
  return new Map(found.map(({ lead_id, keys }) => [lead_id, new Set(keys)]));
}

const mappedLead = (id: string, values: MappedLead["values"], events: Set<string>): MappedLead => ({
  id,
  fresh: false,
  changed: false,
  values,
  before: new Map(),
  events,
});

/** Whether only the phone can identify a row's lead. */
const hasNoName = (patch: Patch): boolean =>
  !patch.has("external_id") && !patch.has("email") && !patch.has("id");

/** A stored row as values by field. */
function valuesOf(row: Record<string, unknown>, columns: readonly string[]): Map<string, Value | null> {
  const values = new Map<string, Value | null>();
  for (const column of columns) {
    const value = row[column];
    if (column !== "custom") values.set(column, value instanceof Date ? isoMoment(value) : stored(value));
    else for (const [key, custom] of Object.entries(value ?? {})) values.set(CUSTOM + key, stored(custom));
  }
  return values;
}

/** Safe because the driver returns a Value for every type of these columns. */
const stored = (value: unknown): Value | null => (value ?? null) as Value | null;
