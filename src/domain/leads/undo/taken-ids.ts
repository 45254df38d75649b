import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { holdersOf } from "../identity/external-id.ts";
import { changeLeads } from "../write/change-leads.ts";
import { readEffects, readSince } from "./read-effects.ts";
import type { Undone } from "./undo-leads.ts";

const TAKEN = `SELECT record_id AS id FROM change_item WHERE project_id = $1 AND change_id = $2 AND kind = 'kept'
  AND after -> 'kept' @> '[{"field": "external_id", "reason": "taken"}]' ORDER BY record_id LIMIT 10000`;

/** Takes the external id off what was kept; a lead of which nothing else was kept is not kept. */
const SETTLED = `WITH settled AS (
    UPDATE change_item SET after = jsonb_set(after, '{kept}', (
        SELECT coalesce(jsonb_agg(each), '[]') FROM jsonb_array_elements(after -> 'kept') AS each
        WHERE NOT each @> '{"field": "external_id", "reason": "taken"}')) || jsonb_build_object('put_back', after -> 'put_back' || '["external_id"]')
    WHERE project_id = $1 AND change_id = $2 AND kind = 'kept' AND record_id = ANY ($3) RETURNING id, after
  ) SELECT id FROM settled WHERE after -> 'kept' = '[]'`;

const DROP = "DELETE FROM change_item WHERE project_id = $1 AND change_id = $2 AND id = ANY ($3)";

const COUNT = `UPDATE change SET counts = added_counts(counts, jsonb_build_object('kept', -$3::int))
  WHERE project_id = $1 AND id = $2`;

/**
 * Gives leads their former external ids that other leads of the same change still had when it was their turn, also where
 * several had exchanged theirs. Returns the leads that have theirs again.
 */
export async function putBackTaken(tx: Transaction, undo: Change, of: Undone): Promise<ReadonlySet<string>> {
  const { projectId } = undo.by;
  const ids = (await tx.query<{ id: string }>(TAKEN, [projectId, undo.id])).map(({ id }) => id);
  if (ids.length === 0) return new Set();
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
  await settle(tx, undo, [...done]);
  return done;
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

async function settle(tx: Transaction, undo: Change, ids: readonly string[]): Promise<void> {
  const own = [undo.by.projectId, undo.id];
  const empty = await tx.query<{ id: string }>(SETTLED, [...own, ids]);
  if (empty.length === 0) return;
  await tx.query(DROP, [...own, empty.map(({ id }) => id)]);
  await tx.query(COUNT, [...own, empty.length]);
}
