import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { holdersOf } from "../identity/external-id.ts";
import { changeLeads } from "../write/change-leads.ts";
import { readEffects, readSince } from "./read-effects.ts";
import type { Undone } from "./undo-leads.ts";

/** Leads that have their external ids again. */
export interface Settled {
  leads: ReadonlySet<string>;
  /** How many of them are not kept any more. */
  freed: number;
  /** How many of them had nothing put back before. */
  first: number;
}

const NOTHING_SETTLED: Settled = { leads: new Set(), freed: 0, first: 0 };

const TAKEN = `SELECT record_id AS id FROM change_item WHERE project_id = $1 AND change_id = $2 AND kind = 'kept'
  AND after -> 'kept' @> '[{"field": "external_id", "reason": "taken"}]' ORDER BY record_id LIMIT 10000`;

/** Takes the external id off what was kept; a lead of which nothing else was kept is not kept. */
const SETTLED = `WITH held AS MATERIALIZED (
    SELECT id AS item, jsonb_build_object('put_back', after -> 'put_back' || '["external_id"]') AS back FROM change_item
    WHERE project_id = $1 AND change_id = $2 AND kind = 'kept' AND record_id = ANY ($3) ORDER BY id FOR UPDATE
  ), settled AS (
    UPDATE change_item SET after = jsonb_set(after, '{kept}', (
        SELECT coalesce(jsonb_agg(each), '[]') FROM jsonb_array_elements(after -> 'kept') AS each
        WHERE NOT each @> '{"field": "external_id", "reason": "taken"}')) || held.back FROM held
    WHERE project_id = $1 AND change_id = $2 AND id = item RETURNING id, record_id, after
  ) SELECT id, record_id AS lead, after -> 'kept' = '[]' AS empty, jsonb_array_length(after -> 'put_back') = 1 AS only FROM settled`;

const DROP = "DELETE FROM change_item WHERE project_id = $1 AND change_id = $2 AND id = ANY ($3)";

const COUNT = `UPDATE change SET counts = added_counts(counts, jsonb_build_object('kept', -$3::int))
  WHERE project_id = $1 AND id = $2`;

/**
 * Gives leads their former external ids that other leads of the same change still had when it was their turn, also where
 * several had exchanged theirs.
 */
export async function putBackTaken(tx: Transaction, undo: Change, of: Undone): Promise<Settled> {
  const { projectId } = undo.by;
  const ids = (await tx.query<{ id: string }>(TAKEN, [projectId, undo.id])).map(({ id }) => id);
  if (ids.length === 0) return NOTHING_SETTLED;
  const effects = await readEffects(tx, projectId, of.id, ids);
  const since = await readSince(tx, { projectId, change: of.id, since: of.since }, ids);
  const wanted = new Map<string, string>();
  for (const { id, fields } of effects) {
    const from = fields.get("external_id")?.from;
    const isOurs = since.get(id)?.steps.every(({ field }) => field !== "external_id") ?? false;
    if (typeof from === "string" && isOurs) wanted.set(id, from);
  }
  const done = new Set<string>();
  const set = async (leads: readonly (readonly [string, string | null])[]): Promise<string[]> => {
    const patches = leads.map(([id, value], place) => ({ place, id, patch: { external_id: value } }));
    const written = await changeLeads(tx, undo, "set", patches);
    return written.flatMap(({ id, outcome }) => (outcome === "updated" ? [id] : []));
  };
  while (wanted.size > 0) {
    const holders = await holdersOf(tx, projectId, [...wanted.values()]);
    const free = [...wanted].filter(([, former]) => !holders.has(former));
    if (free.length > 0) {
      const got = await set(free);
      for (const [id] of free) wanted.delete(id);
      for (const id of got) done.add(id);
      continue;
    }
    const circle = circleOf(wanted, holders);
    if (circle.length === 0) break;
    if ((await set(circle.map((id) => [id, null]))).length === 0) break;
  }
  return await settle(tx, undo, [...done]);
}

/** Leads that have each other's former ids in a circle; empty if there is none. */
function circleOf(wanted: ReadonlyMap<string, string>, holders: ReadonlyMap<string, string>): string[] {
  for (const start of wanted.keys()) {
    const path: string[] = [];
    for (let at: string | undefined = start; at !== undefined && wanted.has(at); ) {
      const seen = path.indexOf(at);
      if (seen >= 0) return path.slice(seen);
      path.push(at);
      at = holders.get(wanted.get(at) ?? "");
    }
  }
  return [];
}

interface SettledRow {
  id: string;
  lead: string;
  empty: boolean;
  only: boolean;
}

async function settle(tx: Transaction, undo: Change, ids: readonly string[]): Promise<Settled> {
  const own = [undo.by.projectId, undo.id];
  const rows = await tx.query<SettledRow>(SETTLED, [...own, ids]);
  const empty = rows.filter((row) => row.empty).map(({ id }) => id);
  if (empty.length > 0) {
    await tx.query(DROP, [...own, empty]);
    await tx.query(COUNT, [...own, empty.length]);
  }
  return {
    leads: new Set(rows.map(({ lead }) => lead)),
    freed: empty.length,
    first: rows.filter(({ only }) => only).length,
  };
}
