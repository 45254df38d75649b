import type { ChangeRecord } from "../../contract/changes/change.ts";
import { WRITABLE } from "../../contract/lists/written-fields.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { getChange } from "../history/read/get-change.ts";
import { leadNameSql } from "../leads/read/lead-name.ts";
import { may } from "../operation/may-sql.ts";
import { operationDoor } from "../operation/operation.ts";
import type { Service } from "../operation/service/service.ts";
import type { Credential } from "../tenancy/credential.ts";
import { PLAIN_RECORD, type PreviewRecord } from "./preview.ts";

const TOTAL = `SELECT (SELECT count(*) FROM (SELECT lead_id FROM event WHERE project_id = $1 AND change_id = $2
      UNION SELECT record_id FROM change_item WHERE project_id = $1 AND change_id = $2 AND kind = 'lead') AS leads)
    + (SELECT count(*) FROM change_item WHERE project_id = $1 AND change_id = $2 AND kind <> 'lead') AS total`;

const EVENTS = `SELECT lead_id, type, title, to_json(occurred_at) AS occurred_at, data FROM event
  WHERE project_id = $1 AND change_id = $2 AND lead_id = ANY ($3::text[]) AND type NOT LIKE 'lead.%' ORDER BY lead_id, id LIMIT 200`;

/** The leads that a change made, and those that it merged into others. */
const CREATED = `SELECT id, to_jsonb(lead) AS lead FROM lead WHERE project_id = $1 AND id = ANY ($2::text[])`;
const MERGED = `SELECT l.id, ${leadNameSql("l")} AS name FROM merge m JOIN lead l ON l.project_id = $1 AND l.id = m.loser_id
  WHERE m.project_id = $1 AND m.change_id = $2 AND m.undone_at IS NULL`;

/**
 * Returns what a change did, as its reader may see it, from the transaction that made it: the number of records, and the
 * first ones. A reader who may not read leads gets the number alone.
 */
export async function readRecords(
  stage: { service: Service; tx: Transaction; reader: Credential; most: number },
  id: string,
): Promise<{ records: PreviewRecord[]; total: number }> {
  const { service, tx, reader, most } = stage;
  const values = [reader.projectId, id];
  const [counted] = await tx.query<{ total: number }>(TOTAL, values);
  const total = counted?.total ?? 0;
  if (!(await may(tx, reader, "leads:read"))) return { records: [], total };
  const db = service.db.behind(operationDoor(getChange, reader));
  const { records } = await getChange.run({ service, db, caller: reader }, { id, limit: most });
  const shown = JSON.parse(records) as ChangeRecord[];
  const merged = await tx.query<{ id: string; name: string | null }>(MERGED, values);
  const created = await createdLeads(tx, reader.projectId, shown);
  const events = await eventsOf(tx, values, shown);
  const all = shown.map(({ kind, id: own, dataset_id, name, outcome, changes, kept }) => ({
    ...{ kind, dataset_id, name, outcome },
    id: outcome === "created" ? null : own,
    changes: created.get(own) ?? changes,
    events: events.get(own) ?? [],
    kept: kept.map(({ field }) => field ?? "*"),
  }));
  const gone = merged.map((lead) => ({ ...PLAIN_RECORD, ...lead, kind: "lead", outcome: "merged_into" }));
  return { records: [...all, ...gone], total: total + gone.length };
}

async function eventsOf(
  tx: Transaction,
  values: readonly unknown[],
  records: readonly ChangeRecord[],
): Promise<Map<string, PreviewRecord["events"]>> {
  const ids = records.flatMap(({ id, events }) => (events > 0 ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await tx.query<PreviewRecord["events"][number] & { lead_id: string }>(EVENTS, [
    ...values,
    ids,
  ]);
  const byLead = Map.groupBy(rows, ({ lead_id }) => lead_id);
  return new Map(
    [...byLead].map(([lead, events]) => [lead, events.map(({ lead_id: _, ...event }) => event)]),
  );
}

/** The values of new leads, as changes from nothing, in the order of the catalogue. */
async function createdLeads(
  tx: Transaction,
  projectId: string,
  records: readonly ChangeRecord[],
): Promise<Map<string, PreviewRecord["changes"]>> {
  const ids = records.flatMap(({ kind, id, outcome }) =>
    kind === "lead" && outcome === "created" ? [id] : [],
  );
  if (ids.length === 0) return new Map();
  const leads = await tx.query<{ id: string; lead: Record<string, unknown> }>(CREATED, [projectId, ids]);
  return new Map(leads.map(({ id, lead }) => [id, valuesOf(lead)]));
}

function valuesOf(lead: Record<string, unknown>): PreviewRecord["changes"] {
  const standard = [...WRITABLE.keys()].map((field): [string, unknown] => [field, lead[field]]);
  const custom = Object.entries((lead.custom ?? {}) as Record<string, unknown>).map(
    ([key, value]): [string, unknown] => [`custom.${key}`, value],
  );
  return [...standard, ...custom].flatMap(([field, to]) => (isEmpty(to) ? [] : [{ field, from: null, to }]));
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);
