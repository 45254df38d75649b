import { Type } from "typebox";
import { ClearingInput } from "../../contract/basics/basics.ts";
import { isId, newId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { type Change, newChange } from "../changes/change.ts";
import { shownLead } from "../fields/shown-lead.ts";
import { againIfTaken } from "../leads/identity/external-id.ts";
import { maySql } from "../operation/may-sql.ts";
import { type MemberContext, memberOperation, refuse } from "../operation/operation.ts";
import { Parameters } from "../sql/parameters.ts";
import { alreadyUndone, type MergeRow, readMerge } from "./kinds/merges.ts";
import { lockUndone, targetsOf } from "./open-undo.ts";
import { same } from "./rule/decide.ts";
import { undoAll } from "./run-undo.ts";
import { wholeTarget } from "./undo-job.ts";
import type { Target } from "./undo-step.ts";

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

/** Locked before the merge, as by an undo of the change. */
const CHANGE = `SELECT counts, created_at::text AS since FROM change WHERE project_id = $1 AND id = $2 FOR UPDATE`;

/**
 * Undoes a merge: the merged lead returns unchanged with its events; the surviving lead loses what the merge
 * brought, except fields edited since. It keeps events that were added after the merge. Undoing it again takes back what was
 * kept.
 */
export const undoMerge = memberOperation({
  name: "leads.unmerge",
  needs: "leads:write",
  input: Type.Object(
    { id: Type.String({ description: "The merge's id." }), ...ClearingInput.properties },
    { additionalProperties: false },
  ),
  async run(context, { id, clear_opt_out: clears = false }): Promise<Unmerged> {
    const { db, caller } = context;
    if (!isId("mrg", id)) return await refuse(db, notFound("merge"));
    return await againIfTaken(() =>
      db.transaction(async (tx) => {
        const merge = await readMerge(tx, caller.projectId, id);
        if (merge === undefined) throw notFound("merge");
        await separateLeads(tx, context, merge, clears);
        return await shown(tx, context, merge);
      }),
    );
  },
});

/** Separates the leads, or takes back what an earlier undo of the merge kept. */
async function separateLeads(
  tx: Transaction,
  context: MemberContext,
  merge: MergeRow,
  clears: boolean,
): Promise<void> {
  const { projectId } = context.caller;
  const about = { merge_id: merge.id };
  const undoes = merge.change_id ?? undefined;
  const begin = (id: string = newId("chg")): Change =>
    newChange(context, "undo", { id, about, ...(undoes === undefined ? {} : { undoes }) });
  const [change] = await tx.query<{ counts: Target["counts"]; since: string }>(CHANGE, [
    projectId,
    merge.change_id,
  ]);
  if (merge.undone) {
    if (undoes === undefined || change === undefined) throw alreadyUndone();
    const locked = await lockUndone(tx, projectId, undoes);
    const targets = await targetsOf(tx, projectId, { id: undoes, ...change }, locked, { clears });
    const undo = begin(locked.undone_by ?? undefined);
    const { written } = await undoAll(tx, undo, targets, { several: false });
    if (written === 0) undo.made = false;
    return;
  }
  const target = wholeTarget(undoes ?? "", merge.since, { leads_merged: 1 });
  const of = { ...target.of, merge: merge.id };
  const targets = [{ ...target, of, marked: change === undefined, clears }];
  await undoAll(tx, begin(), targets, { several: false });
}

interface Shown {
  id: string;
  json: string;
  mayRead: boolean;
  values: Record<string, unknown> & { custom: Record<string, unknown> };
}

async function shown(
  tx: Transaction,
  { caller }: MemberContext,
  { id, winner_id: winner, loser_id: loser, changes }: MergeRow,
): Promise<Unmerged> {
  const parameters = new Parameters();
  const text = `SELECT id, ${shownLead("lead", caller, parameters)} AS json, ${maySql(caller, parameters, "leads:read")} AS "mayRead",
      to_jsonb(lead) AS values
    FROM lead WHERE project_id = ${parameters.text(caller.projectId)} AND id = ANY (${parameters.texts([winner, loser])})`;
  const found = new Map((await tx.query<Shown>(text, parameters.values)).map((lead) => [lead.id, lead]));
  const [one, two] = [found.get(winner), found.get(loser)];
  if (one === undefined || two === undefined) throw notFound("merge");
  const present = (field: string) =>
    field.startsWith("custom.") ? one.values.custom[field.slice(7)] : one.values[field];
  const kept = Object.entries(changes).flatMap(([field, { from }]) =>
    field === "last_activity_at" || same(present(field), from) ? [] : [field],
  );
  return { mergeId: id, leads: [one.json, two.json], winner, loser, kept: one.mayRead ? kept : undefined };
}
