import type { Actor } from "../../../contract/basics/actor.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import { STANDS_SQL } from "../../changes/mark-undone.ts";
import {
  type LaterStep,
  type LeadEffect,
  type LeadNow,
  type Since,
  type Step,
  sameStored,
  type Writer,
} from "./lead-effect.ts";

type Db = Pick<Queryable, "query">;

/** The ids of leads of a change behind an id, from the indexes of events and items. */
const NEXT = `SELECT id FROM (
    (SELECT DISTINCT lead_id AS id FROM event WHERE project_id = $1 AND change_id = $2 AND lead_id > $3 ORDER BY lead_id LIMIT $4)
    UNION (SELECT DISTINCT record_id FROM change_item WHERE project_id = $1 AND change_id = $2
      AND kind IN ('lead', 'event') AND record_id > $3 ORDER BY record_id LIMIT $4)) AS next ORDER BY id LIMIT $4`;

/** The next leads to which a change did something, in the order of their ids. */
export async function nextLeads(
  db: Db,
  { projectId, change, after, limit }: { projectId: string; change: string; after: string; limit: number },
): Promise<string[]> {
  return (await db.query<{ id: string }>(NEXT, [projectId, change, after, limit])).map(({ id }) => id);
}

interface Part {
  lead: string;
  /** Of an event; null for an item. */
  type: string | null;
  id: string;
  kind: string | null;
  moved: boolean;
  data: Record<string, unknown> | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  version: number | null;
}

const PARTS = `SELECT lead, type, id, kind, moved, data, before, after, version FROM (
    SELECT coalesce(merged_from, lead_id) AS lead, type, id, NULL AS kind, merged_from IS NOT NULL AS moved, data,
      NULL::jsonb AS before, NULL::jsonb AS after, NULL::integer AS version, tx
    FROM event WHERE project_id = $1 AND change_id = $2 AND lead_id = ANY ($3)
    UNION ALL SELECT record_id, NULL, id, kind, false, NULL, before, after, version, tx
    FROM change_item WHERE project_id = $1 AND change_id = $2 AND record_id = ANY ($3) AND kind IN ('lead', 'event')
  ) AS parts ORDER BY tx, id`;

/** What a change did to these leads, in the order of their ids. */
export async function readEffects(
  db: Db,
  projectId: string,
  change: string,
  ids: readonly string[],
): Promise<LeadEffect[]> {
  const parts = await db.query<Part>(PARTS, [projectId, change, ids]);
  const byLead = Map.groupBy(parts, ({ lead }) => lead);
  return [...byLead].map(([id, own]) => effectOf(id, own)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function effectOf(id: string, parts: readonly Part[]): LeadEffect {
  const types = new Set(parts.map(({ type }) => type));
  const steps = new Map<string, Step>();
  for (const { type, kind, data, before, after } of parts) {
    const changes =
      type === "lead.updated" && data !== null && data.erased !== true
        ? [[String(data.field), data.from ?? null, data.to ?? null] as const]
        : kind === "lead" && before !== null
          ? Object.keys(before).map(
              (field) => [field, before[field] ?? null, after?.[field] ?? null] as const,
            )
          : [];
    for (const [field, from, to] of changes) {
      const first = steps.get(field);
      steps.set(field, { from: first === undefined ? from : first.from, to });
    }
  }
  const fields = new Map(
    [...steps].filter(([field, { from, to }]) => field !== "phone_e164" && !sameStored(from, to)),
  );
  return {
    id,
    created:
      types.has("lead.created") || parts.some(({ kind, before }) => kind === "lead" && before === null),
    deleted: types.has("lead.deleted"),
    restored: types.has("lead.restored"),
    fields,
    recorded: parts.flatMap((part) => (part.type === null || part.type.startsWith("lead.") ? [] : [part.id])),
    version: parts.find(({ version }) => version !== null)?.version ?? null,
    withdrew: parts.some(({ kind, after }) => kind === "event" && after === null),
    moved: parts.some(({ moved }) => moved),
  };
}

interface LaterRow {
  lead: string;
  type: string;
  field: string | null;
  from: unknown;
  to: unknown;
  by: Actor;
  change_id: string | null;
  at: string;
  later: boolean;
}

/**
 * What others did to the leads since the change began and still stands, in order; events on a timeline always do. `later`
 * is what they did after it last touched the lead. Events without a change are from before changes were kept; those of
 * imports are told apart by their source.
 */
const LATER = `WITH touched AS MATERIALIZED (
    SELECT lead, max(at) AS at FROM (
      SELECT coalesce(merged_from, lead_id) AS lead, recorded_at AS at FROM event WHERE project_id = $1 AND change_id = $2 AND lead_id = ANY ($3)
      UNION ALL SELECT record_id, at FROM change_item WHERE project_id = $1 AND change_id = $2 AND record_id = ANY ($3)
    ) AS own GROUP BY lead
  ) SELECT later.lead, type, field, "from", "to", by, change_id, to_json(later.at) #>> '{}' AS at,
    later.at > touched.at IS TRUE AS later FROM (
    SELECT e.lead_id AS lead, e.type, coalesce(e.data ->> 'field', '') AS field, e.data -> 'from' AS "from", e.data -> 'to' AS "to",
      e.actor AS by, e.change_id, e.recorded_at AS at, e.tx, e.id
    FROM event e LEFT JOIN change c ON c.project_id = $1 AND c.id = e.change_id
    WHERE e.project_id = $1 AND e.lead_id = ANY ($3) AND e.change_id IS DISTINCT FROM $2 AND e.recorded_at >= $4::timestamptz
      AND e.merged_from IS NULL AND (e.type NOT LIKE 'lead.%' OR ${STANDS_SQL}) AND (e.change_id IS NOT NULL OR e.source IS DISTINCT FROM 'import')
    UNION ALL SELECT i.record_id, 'lead.updated', key, i.before -> key, i.after -> key, c.actor, i.change_id, i.at, i.tx, i.id
    FROM change_item i JOIN change c ON c.project_id = $1 AND c.id = i.change_id, jsonb_object_keys(coalesce(i.before, '{}')) AS key
    WHERE i.project_id = $1 AND i.record_id = ANY ($3) AND i.change_id <> $2 AND i.kind = 'lead' AND i.at >= $4::timestamptz AND ${STANDS_SQL}
  ) AS later LEFT JOIN touched ON touched.lead = later.lead ORDER BY later.at, tx, id`;

/** What others did to these leads since a change, by lead. */
export async function readSince(
  db: Db,
  { projectId, change, since }: { projectId: string; change: string; since: string },
  ids: readonly string[],
): Promise<ReadonlyMap<string, Since>> {
  const rows = await db.query<LaterRow>(LATER, [projectId, change, ids, since]);
  const byLead = Map.groupBy(rows, ({ lead }) => lead);
  return new Map(
    ids.map((id): [string, Since] => {
      const own = byLead.get(id) ?? [];
      const event = own.findLast(({ type }) => !type.startsWith("lead."));
      return [
        id,
        {
          steps: own.filter(({ later }) => later).flatMap(stepOf),
          step: own.flatMap(stepOf).at(-1),
          event: event === undefined ? undefined : writerOf(event),
        },
      ];
    }),
  );
}

const writerOf = ({ by, change_id, at }: LaterRow): Writer => ({ by, change_id, at });

function stepOf(row: LaterRow): LaterStep[] {
  const { type, from, to } = row;
  if (type === "lead.updated") return [{ ...writerOf(row), field: row.field ?? "", from, to }];
  if (type === "lead.deleted" || type === "lead.restored")
    return [{ ...writerOf(row), field: "deleted_at", from: null, to: null }];
  return type === "lead.merged" ? [{ ...writerOf(row), field: "merged", from: null, to: null }] : [];
}

const LOCK = `SELECT id, deleted_at IS NOT NULL AS deleted, merged_into_id IS NOT NULL AS merged, version, to_jsonb(lead) AS values
  FROM lead WHERE project_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`;

/** Locks leads in the order of their ids and returns them as they are now, by id; one that was erased is missing. */
export async function lockLeads(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LeadNow>> {
  const rows = await db.query<LeadNow>(LOCK, [projectId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}
