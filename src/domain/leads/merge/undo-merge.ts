import { Type } from "typebox";
import { isId } from "../../../core/id.ts";
import { notFound, Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Change, newChange } from "../../changes/change.ts";
import { markUndoneBy } from "../../changes/mark-undone.ts";
import { memberOperation, refuse } from "../../operation/operation.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { againIfTaken, externalIdTaken, holdersOf } from "../identity/external-id.ts";
import { lockAllIdentities } from "../identity/identity-locks.ts";
import { listWithout } from "../undo/decide-lead.ts";
import type { LaterStep } from "../undo/lead-effect.ts";
import { readSince } from "../undo/read-effects.ts";
import { type FieldChange, type LeadRow, sameJson } from "./merge-values.ts";
import { writeMerged } from "./write-merged.ts";

/**
 * The two leads after an undo: their records as text, and the fields left unchanged because they were edited since.
 */
export interface Unmerged {
  mergeId: string;
  leads: [string, string];
  winner: string;
  loser: string;
  /** Undefined for a caller who may not read leads. */
  kept: string[] | undefined;
}

interface MergeRow {
  winner_id: string;
  loser_id: string;
  changes: Record<string, { from: unknown; to: unknown }>;
  change_id: string | null;
  created_at: string;
  undone_at: Date | null;
}

const MERGE = `SELECT winner_id, loser_id, changes, change_id, created_at::text, undone_at FROM merge WHERE project_id = $1 AND id = $2 FOR UPDATE`;

const PAIR = `SELECT id, deleted_at, merged_into_id, row_to_json(lead) AS row FROM lead
  WHERE project_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`;

const APART = `UPDATE lead SET merged_into_id = NULL, updated_at = moment() WHERE project_id = $1 AND id = $2`;

/** The events of the merged lead and of all leads merged into it earlier. */
const BACK = `WITH RECURSIVE part (id) AS (
    SELECT $3::text COLLATE "C" UNION SELECT lead.id FROM lead JOIN part ON lead.merged_into_id = part.id WHERE lead.project_id = $1
  ) UPDATE event SET lead_id = $3, merged_from = nullif(merged_from, $3)
    WHERE project_id = $1 AND lead_id = $2 AND merged_from IN (SELECT id FROM part)`;

const UNDONE = `UPDATE merge SET undone_at = moment() WHERE project_id = $1 AND id = $2`;

/**
 * Undoes a merge: the merged lead returns unchanged with its events; the surviving lead loses what the merge
 * brought, except fields edited since. It keeps events that were added after the merge.
 */
export const undoMerge = memberOperation({
  name: "leads.unmerge",
  needs: "leads:write",
  input: Type.Object(
    { id: Type.String({ description: "The merge's id." }) },
    { additionalProperties: false },
  ),
  async run(context, { id }): Promise<Unmerged> {
    const { db, caller } = context;
    if (!isId("mrg", id)) return await refuse(db, notFound("merge"));
    const change = newChange(context, "undo", { about: { merge_id: id } });
    return await againIfTaken(() => db.transaction((tx) => separate(tx, change, caller, id)));
  },
});

/** Separates two merged leads, as a part of a change that undoes their merge. */
export async function separate(
  tx: Transaction,
  change: Change,
  caller: Credential,
  id: string,
): Promise<Unmerged> {
  const { projectId } = caller;
  await lockAllIdentities(tx, projectId);
  const [merge] = await tx.query<MergeRow>(MERGE, [projectId, id]);
  if (merge === undefined) throw notFound("merge");
  if (merge.undone_at !== null)
    throw new Refusal("conflict", "already_undone", "This merge has already been undone.");
  const [winner, loser] = await lockPair(tx, projectId, merge);
  // Without a change that is named, it is the one that joined them last.
  const isDirect = change.undoes === null;
  change.undoes ??= merge.change_id;
  const { changes, kept } = givenBack(winner, merge.changes, await readLater(tx, projectId, merge));
  const back = changes.find(({ field }) => field === "external_id")?.to;
  await refuseTaken(tx, projectId, winner.id, back, loser.external_id);
  const told = (other: string) =>
    ({ type: "lead.unmerged", title: "Merge undone", data: { merge_id: id, lead_id: other } }) as const;
  // First the surviving lead, which may have the other's external id.
  const one = await writeMerged(tx, change, caller, winner, changes, told(loser.id));
  await tx.query(APART, [projectId, loser.id]);
  await tx.query(BACK, [projectId, winner.id, loser.id]);
  await tx.query(UNDONE, [projectId, id]);
  const two = await writeMerged(tx, change, caller, loser, [], told(winner.id));
  if (isDirect && merge.change_id !== null)
    await markUndoneBy(tx, projectId, { id: merge.change_id, by: change.id });
  return {
    mergeId: id,
    leads: [one.json, two.json],
    winner: winner.id,
    loser: loser.id,
    kept: one.mayRead ? kept : undefined,
  };
}

/** Refuses (409) if a lead that the undo leaves as it is has an external id that one of the two would get back. */
async function refuseTaken(
  tx: Transaction,
  projectId: string,
  winner: string,
  back: unknown,
  ofLoser: unknown,
): Promise<void> {
  const isText = (value: unknown) => typeof value === "string";
  const holders = await holdersOf(tx, projectId, [back, ofLoser].filter(isText));
  const [first, second] = [back, ofLoser].map((each) => (isText(each) ? holders.get(each) : undefined));
  if (first !== undefined && first !== winner) throw externalIdTaken(first);
  if (second !== undefined && (second !== winner || back === undefined)) throw externalIdTaken(second);
}

async function lockPair(tx: Transaction, projectId: string, merge: MergeRow): Promise<[LeadRow, LeadRow]> {
  const { winner_id: one, loser_id: two } = merge;
  const found = await tx.query<{
    id: string;
    deleted_at: Date | null;
    merged_into_id: string | null;
    row: LeadRow;
  }>(PAIR, [projectId, [one, two]]);
  const [winner, loser] = [one, two].map((id) => found.find((lead) => lead.id === id));
  if (winner === undefined || loser === undefined) throw notFound("merge");
  if (winner.merged_into_id !== null) {
    const message = `${one} has since been merged into ${winner.merged_into_id}. Undo that merge first.`;
    throw new Refusal("conflict", "merged_since", message, {
      faults: [{ path: "id", code: "merged_since", message: winner.merged_into_id }],
    });
  }
  if (winner.deleted_at !== null)
    throw new Refusal("conflict", "lead_deleted", `${one} has since been deleted. Restore it first.`);
  return [winner.row, loser.row];
}

/** What others did to the surviving lead since and still stands. */
async function readLater(
  tx: Transaction,
  projectId: string,
  { change_id: change, winner_id: winner, created_at: since }: MergeRow,
): Promise<readonly LaterStep[]> {
  if (change === null) return [];
  return (await readSince(tx, { projectId, change, since }, [winner])).get(winner)?.steps ?? [];
}

/** The changes of a merge that still stand, reversed. A list loses what the merge added and keeps later entries. */
function givenBack(
  winner: LeadRow,
  merged: MergeRow["changes"],
  steps: readonly LaterStep[],
): { changes: FieldChange[]; kept: string[] } {
  const changes: FieldChange[] = [];
  const kept: string[] = [];
  for (const [field, step] of Object.entries(merged)) {
    const now = (field.startsWith("custom.") ? winner.custom[field.slice(7)] : winner[field]) ?? null;
    const later = steps.filter((each) => each.field === field);
    const stands = sameJson(now, step.to) && later.length === 0;
    if (!stands && field !== "last_activity_at") kept.push(field);
    const back = stands ? step.from : (listWithout(now, step, later) ?? now);
    if (!sameJson(back, now)) changes.push({ field, from: now, to: back });
  }
  return { changes: phoneTogether(changes), kept };
}

/** The E.164 form belongs to `phone` and is restored only with it. */
function phoneTogether(changes: readonly FieldChange[]): FieldChange[] {
  const goesBack = changes.some(({ field }) => field === "phone");
  return changes.filter(({ field }) => field !== "phone_e164" || goesBack);
}
