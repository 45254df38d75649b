import type { Transaction } from "../../../db/pool/database.ts";
import type { Step, UndoRecord } from "../rule/decide.ts";
import { STEP, type Undone, within } from "./kind.ts";
import { type StepRow, standingSql, stepsOf, writerOf } from "./read-steps.ts";

type Db = Pick<Transaction, "query">;

/** Events that come back have their former ids, which say nothing about the part of a change that they belong to. */
const EVENTS_OF = (from: string, to: string): string =>
  `project_id = $1 AND change_id = $2 AND (type NOT LIKE 'lead.%' OR ${within("id", from, to)})`;
const ITEMS_OF = (from: string, to: string): string =>
  `project_id = $1 AND change_id = $2 AND kind IN ('lead', 'event') AND ${within("id", from, to)}`;

const NEXT = `SELECT id FROM (
    (SELECT DISTINCT lead_id AS id FROM event WHERE ${EVENTS_OF("$4", "$5")} AND lead_id > $3 ORDER BY lead_id LIMIT ${STEP})
    UNION (SELECT DISTINCT record_id FROM change_item WHERE ${ITEMS_OF("$4", "$5")} AND record_id > $3 ORDER BY record_id LIMIT ${STEP})
  ) AS next ORDER BY id LIMIT ${STEP}`;

/** The next leads to which a change did something, in the order of their ids. */
export async function nextLeads(db: Db, projectId: string, of: Undone, after: string): Promise<string[]> {
  const found = await db.query<{ id: string }>(NEXT, [projectId, of.id, after, of.from, of.to]);
  return found.map(({ id }) => id);
}

const LOCK = `SELECT id, deleted_at IS NOT NULL AS deleted, merged_into_id IS NOT NULL AS merged, version, to_jsonb(lead) AS values
  FROM lead WHERE project_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`;

/** A lead as it is now. */
export interface LeadNow {
  id: string;
  deleted: boolean;
  merged: boolean;
  version: number;
  values: Readonly<Record<string, unknown>> & { custom: Readonly<Record<string, unknown>> };
}

/** Locks leads in the order of their ids and returns them as they are now, by id; one that was erased is missing. */
export async function lockLeads(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LeadNow>> {
  const rows = await db.query<LeadNow>(LOCK, [projectId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The value of a field, such as `custom.plan`. */
export const readField = ({ values }: Pick<LeadNow, "values">, field: string): unknown =>
  (field.startsWith("custom.") ? values.custom[field.slice(7)] : values[field]) ?? null;

interface LeadRow extends StepRow {
  lead: string;
  /** Of an event; an item is `values` of untracked fields, or an event that the change withdrew. */
  type: string;
  moved: boolean;
  erased: boolean;
  version: number | null;
}

const PART = (own: boolean, more: string): string => `SELECT ${own} AS own, ${more}, tx, id`;
const EVENT = (lead: string): string =>
  `${lead} AS lead, type, data, NULL::jsonb AS before, NULL::jsonb AS after, NULL::integer AS version, merged_from IS NOT NULL AS moved,
    recorded_at AS at, actor, change_id`;
/** The version that an item has which the feed tells is the one that events have too: later changes of its lead are known. */
const ITEM = `record_id, CASE kind WHEN 'lead' THEN 'values' ELSE 'withdrawn' END, NULL, before, after, CASE WHEN NOT told THEN version END, false, at, NULL, change_id`;

/**
 * What the change did to leads, and what others did to them since it began, in order. Others' events without a change are
 * from before changes were kept; those of imports are told apart by their source.
 */
const STEPS = `WITH parts AS MATERIALIZED (
    ${PART(true, EVENT("coalesce(merged_from, lead_id)"))} FROM event WHERE ${EVENTS_OF("$5", "$6")} AND lead_id = ANY ($3)
    UNION ALL ${PART(true, ITEM)} FROM change_item WHERE ${ITEMS_OF("$5", "$6")} AND record_id = ANY ($3)
    UNION ALL ${PART(false, EVENT("lead_id"))} FROM event WHERE project_id = $1 AND lead_id = ANY ($3) AND change_id IS DISTINCT FROM $2
      AND recorded_at >= $4::timestamptz AND merged_from IS NULL AND (change_id IS NOT NULL OR source IS DISTINCT FROM 'import')
    UNION ALL ${PART(false, ITEM)} FROM change_item WHERE project_id = $1 AND record_id = ANY ($3) AND change_id <> $2 AND kind = 'lead'
      AND at >= $4::timestamptz
  ) SELECT own, lead, type, moved, version, coalesce(data -> 'erased' = 'true', false) AS erased, each.field, each."from", each."to", (extract(epoch FROM p.at) * 1000000)::float8 AS "order",
    coalesce(p.actor, c.actor) AS by, p.change_id, to_json(p.at) #>> '{}' AS at, ${standingSql("p.lead")}
  FROM parts p LEFT JOIN change c ON c.project_id = $1 AND c.id = p.change_id, LATERAL (
    SELECT data ->> 'field' AS field, data -> 'from' AS "from", data -> 'to' AS "to" WHERE type <> 'values'
    UNION ALL SELECT key, before -> key, after -> key FROM jsonb_object_keys(coalesce(before, '{}')) AS key WHERE type = 'values'
    UNION ALL SELECT NULL, NULL, NULL WHERE type = 'values' AND before IS NULL) AS each
  ORDER BY p.at, p.tx, p.id`;

/** The leads that these were merged into, directly or not, deleted ones too. */
const SURVIVORS = `WITH RECURSIVE up (id) AS (
    SELECT merged_into_id FROM lead WHERE project_id = $1 AND id = ANY ($2)
    UNION SELECT merged_into_id FROM lead JOIN up USING (id) WHERE project_id = $1
  ) SELECT id FROM up WHERE id IS NOT NULL`;

/**
 * What a change did to these leads, and what others did since. The leads are locked, and `now` is their present state. Events
 * of merged leads are another lead's: without `again`, the ids are those of leads that have the change's events.
 */
export async function readLeads(
  db: Db,
  projectId: string,
  of: Undone,
  now: ReadonlyMap<string, LeadNow>,
  ids: readonly string[],
  again: boolean,
): Promise<UndoRecord[]> {
  const isMerged = again && [...now.values()].some(({ merged }) => merged);
  const found = isMerged ? await db.query<{ id: string }>(SURVIVORS, [projectId, ids]) : [];
  const byLead = await partsOf(db, projectId, of, [...ids, ...found.map(({ id }) => id)]);
  return [...byLead]
    .filter(([id, parts]) => parts.some(({ own }) => own) && (!again || ids.includes(id)))
    .map(([id, parts]) => recordOf(id, parts, now.get(id)))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The same for one lead, also if no event or item tells what the change did to it. */
export async function readLead(db: Db, projectId: string, of: Undone, now: LeadNow): Promise<UndoRecord> {
  const byLead = await partsOf(db, projectId, of, [now.id]);
  return recordOf(now.id, byLead.get(now.id) ?? [], now);
}

async function partsOf(
  db: Db,
  projectId: string,
  of: Undone,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly LeadRow[]>> {
  const values = [projectId, of.id, ids, of.since, of.from, of.to];
  return Map.groupBy(await db.query<LeadRow>(STEPS, values), ({ lead }) => lead);
}

function recordOf(id: string, parts: readonly LeadRow[], now: LeadNow | undefined): UndoRecord {
  const own = parts.filter((part) => part.own);
  const { other: _, ...steps } = stepsOf(parts.flatMap(stepIn));
  const version = own.find((part) => part.version !== null)?.version ?? null;
  const isOnTimeline = ({ type }: LeadRow) => type === "withdrawn" || isEvent(type);
  const event = parts.findLast((part) => !part.own && isEvent(part.type));
  const isMerged = now?.merged === true || own.some(({ moved }) => moved);
  return {
    id,
    ...steps,
    last: own.at(-1)?.order ?? Number.POSITIVE_INFINITY,
    now: isMerged ? "merged" : now === undefined ? "gone" : now.deleted ? "deleted" : "there",
    read: (field) => (now === undefined ? null : readField(now, field)),
    untraced: version !== null && version !== now?.version,
    timeline: own.some(isOnTimeline),
    ...(event === undefined ? {} : { event: writerOf(event) }),
  };
}

const isEvent = (type: string): boolean => type.includes(".") && !type.startsWith("lead.");

const PRESENCES: Readonly<Record<string, Pick<Step, "from" | "to">>> = {
  "lead.created": { from: "none", to: "there" },
  "lead.deleted": { from: "there", to: "deleted" },
  "lead.restored": { from: "deleted", to: "there" },
};

function stepIn(row: LeadRow): StepRow[] {
  const { type, own, field, from, to } = row;
  const presence = PRESENCES[type];
  if (presence !== undefined) return [{ ...row, field: null, ...presence }];
  if (type === "lead.merged") return own ? [] : [{ ...row, field: "merged", from: null, to: null }];
  if (type === "values" && field === null) return [{ ...row, ...PRESENCES["lead.created"] }];
  if (!["lead.updated", "values"].includes(type) || field === null) return [];
  // Nothing is left of a value that was erased, and the E.164 form follows its number.
  if ((own && row.erased) || field === "phone_e164") return [];
  return [{ ...row, from: from ?? null, to: to ?? null }];
}
