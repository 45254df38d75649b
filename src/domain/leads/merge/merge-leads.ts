import { Type } from "typebox";
import { MergeInput } from "../../../contract/merges.ts";
import { isId, newId } from "../../../core/id.ts";
import { notFound, Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Change, newChange } from "../../changes/change.ts";
import { patchOf } from "../../fields/lead-input.ts";
import { actorOf, sourceOf } from "../../operation/actor.ts";
import { may } from "../../operation/may-sql.ts";
import { memberOperation, refuse } from "../../operation/operation.ts";
import { OWN_TX, placeSql, toldSql } from "../../sql/feed-sql.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { bad } from "../../values/bad-input.ts";
import { isCurrent, Version } from "../../values/version.ts";
import { againIfTaken } from "../identity/external-id.ts";
import { lockAllIdentities } from "../identity/identity-locks.ts";
import { LeadId, missingLead } from "../read/lead-id.ts";
import { changeLeads } from "../write/change-leads.ts";
import { writtenLead } from "../write/write-outcome.ts";
import { checkPrefer, type LeadRow, mergeChanges, type Prefer } from "./merge-values.ts";

/** A completed merge: its id, the changed fields, and the surviving lead's record as text. */
export interface Merged {
  mergeId: string;
  mergedId: string;
  /** Undefined for a caller who may not read leads: fields of a lead made for it would ask for the other's values. */
  changed: string[] | undefined;
  json: string;
}

/**
 * Merges another lead and its timeline into this one. Locks the project's identities against other merges, upserts
 * and imports, so that none of them finds a lead that is being merged.
 */
export const mergeLeads = memberOperation({
  name: "leads.merge",
  needs: "leads:write",
  input: Type.Object(
    { id: LeadId, ...MergeInput.properties, version: Type.Optional(Version) },
    { additionalProperties: false },
  ),
  async run(context, { id, with: other, prefer, version, with_version }): Promise<Merged> {
    const { db, caller } = context;
    if (!isId("lead", id) || !isId("lead", other)) return await refuse(db, notFound("lead"));
    const change = newChange(context, "lead.merge", { leadId: id });
    const work = async (tx: Transaction): Promise<Merged> => {
      if (id === other) bad("$.with", "same_lead", "must be another lead");
      return await joinLeads(tx, change, caller, { id, other, prefer, version, otherVersion: with_version });
    };
    return await againIfTaken(() => db.transaction(work));
  },
});

/** A merge to perform: `other` into `id`. */
interface Join {
  /** Of a merge that is made again. */
  mergeId?: string;
  id: string;
  other: string;
  prefer: Prefer;
  version?: Version | undefined;
  otherVersion?: Version | undefined;
}

/** Merges two leads, as a part of a change. */
async function joinLeads(
  tx: Transaction,
  change: Change,
  caller: Credential,
  { mergeId: known, id, other, prefer, version, otherVersion }: Join,
): Promise<Merged> {
  const { projectId } = caller;
  await lockAllIdentities(tx, projectId);
  const [winner, loser] = await lockPair(tx, projectId, [id, other]);
  checkVersion(winner, version, "version");
  checkVersion(loser, otherVersion, "$.with_version");
  // One that is made again was checked when it was made first.
  if (known === undefined) checkPrefer(prefer, await customKeys(tx, projectId, prefer));
  const changes = mergeChanges(winner, loser, prefer);
  // Under the lock, so that ids are in the order of the merges.
  const mergeId = known ?? newId("mrg");
  change.about = { merge_id: mergeId };
  await tx.query(INTO, [projectId, id, other]);
  await tx.query(MOVE, [projectId, id, other]);
  const actor = JSON.stringify(await actorOf(tx, caller));
  const kept = Object.fromEntries(changes.map(({ field, from, to }) => [field, { from, to }]));
  await tx.query(KEEP, [
    ...[projectId, mergeId, id, other, JSON.stringify(kept), actor],
    ...[change.id, JSON.stringify(prefer ?? null)],
  ]);
  const data = { merge_id: mergeId, lead_id: other };
  const event = { type: "lead.merged", title: "Merged with another lead", data } as const;
  const patch = patchOf(changes.map(({ field, to }) => [field, to]));
  const { json } = writtenLead(await changeLeads(tx, change, "set", [{ place: 0, id, patch, event }]));
  await tx.query(TOMBSTONE, [projectId, newId("evt"), other, id, sourceOf(caller), actor, change.id]);
  const changed = (await may(tx, caller, "leads:read")) ? changes.map(({ field }) => field) : undefined;
  return { mergeId, mergedId: other, changed, json };
}

const REPEATED = `SELECT winner_id AS id, loser_id AS other, prefer FROM merge WHERE project_id = $1 AND id = $2 AND undone_at IS NOT NULL FOR UPDATE`;

/** Merges two leads again that an undo has separated, with the same preferences; returns the surviving one, or undefined if that is not their state. */
export async function joinAgain(
  tx: Transaction,
  change: Change,
  caller: Credential,
  mergeId: string,
): Promise<string | undefined> {
  const [merge] = await tx.query<{ id: string; other: string; prefer: Prefer | null }>(REPEATED, [
    caller.projectId,
    mergeId,
  ]);
  if (merge === undefined) return undefined;
  const { id, other, prefer } = merge;
  await joinLeads(tx, change, caller, { mergeId, id, other, prefer: prefer ?? undefined });
  return id;
}

const INTO = `UPDATE lead SET merged_into_id = $2, version = version + 1, updated_at = moment(),
    last_tx = greatest(feed_tx(pg_current_xact_id()), last_tx)
  WHERE project_id = $1 AND id = $3`;

/** Events from an earlier merge keep their mark. */
const MOVE = `UPDATE event SET lead_id = $2, merged_from = coalesce(merged_from, $3)
  WHERE project_id = $1 AND lead_id = $3`;

const KEEP = `INSERT INTO merge (project_id, id, winner_id, loser_id, changes, actor, change_id, prefer)
  VALUES ($1, $2, $3, $4, $5, $6, $7, nullif($8::jsonb, 'null'))
  ON CONFLICT (project_id, id) DO UPDATE SET changes = excluded.changes, change_id = excluded.change_id, undone_at = NULL`;

/** The last word on the merged lead, for readers of the feed. */
const TOMBSTONE = `WITH ${OWN_TX}, gone AS MATERIALIZED (
    SELECT version, ${toldSql("last_tx")} FROM lead WHERE project_id = $1 AND id = $3
  ), told AS (
    INSERT INTO tombstone (project_id, id, lead_id, type, survivor_id, source, actor, change_id, tx, version, place)
    SELECT $1, $2, $3, 'lead.merged', $4, $5, $6::jsonb, $7, tx, version, ${placeSql("$2", "version", "makes")} FROM gone
  ) SELECT`;

const LOCK = `SELECT id, deleted_at, merged_into_id, row_to_json(lead) AS row FROM lead
  WHERE project_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`;

/** Locks two leads in the order of their ids; refuses (404) one that does not exist, is deleted or was merged. */
async function lockPair(
  tx: Transaction,
  projectId: string,
  ids: readonly [string, string],
): Promise<[LeadRow, LeadRow]> {
  const found = await tx.query<{
    id: string;
    deleted_at: Date | null;
    merged_into_id: string | null;
    row: LeadRow;
  }>(LOCK, [projectId, ids]);
  const [winner, loser] = ids.map(
    (id) =>
      found.find((lead) => lead.id === id && lead.deleted_at === null && lead.merged_into_id === null)?.row,
  );
  const missing = winner === undefined ? ids[0] : ids[1];
  if (winner === undefined || loser === undefined) {
    const refusal = await missingLead(tx, projectId, missing);
    const path = missing === ids[0] ? "id" : "$.with";
    throw new Refusal(refusal.kind, refusal.code, refusal.message, {
      faults: refusal.faults.map((fault) => ({ ...fault, path })),
    });
  }
  return [winner, loser];
}

/** Refuses (412) a lead that has another version than the caller has read. */
function checkVersion(lead: LeadRow, wanted: Version | undefined, path: string): void {
  const current = Number(lead.version);
  if (isCurrent(wanted, current)) return;
  const message = `The lead ${lead.id} is now at version ${current}. Read it again, then decide again.`;
  throw new Refusal("stale", "stale", message, {
    faults: [{ path, code: "stale", message: String(current) }],
  });
}

/** The keys of the custom fields, read only if fields are preferred by name. */
async function customKeys(tx: Transaction, projectId: string, prefer: Prefer): Promise<ReadonlySet<string>> {
  if (typeof prefer !== "object") return new Set();
  const fields = await tx.query<{ key: string }>("SELECT key FROM custom_field WHERE project_id = $1", [
    projectId,
  ]);
  return new Set(fields.map(({ key }) => key));
}
