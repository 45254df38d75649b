import { notFound, Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { lockAllIdentities } from "../../leads/identity/identity-locks.ts";
import { joinAgain } from "../../leads/merge/merge-leads.ts";
import { changeLeads } from "../../leads/write/change-leads.ts";
import { writtenLead } from "../../leads/write/write-outcome.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { same, type UndoRecord } from "../rule/decide.ts";
import { readFitting } from "./fitting.ts";
import { type Batch, type Kind, LEAD_RULES, type Undone, type Written, within } from "./kind.ts";
import { type LeadNow, lockLeads, readField, readLead } from "./lead-steps.ts";

/** A merge as it is stored. */
export interface MergeRow {
  id: string;
  winner_id: string;
  loser_id: string;
  changes: Record<string, { from: unknown; to: unknown }>;
  change_id: string | null;
  since: string;
  undone: boolean;
}

/** The merges that a change made or took back. One from before changes were kept is known by what the change is about. */
const MERGES = `SELECT about ->> 'merge_id' AS id, counts ? 'leads_merged' AS joined FROM change
    WHERE project_id = $1 AND id = $2 AND about ? 'merge_id' AND $3::text IS NULL
  UNION SELECT data ->> 'merge_id', type = 'lead.merged' FROM event
    WHERE project_id = $1 AND change_id = $2 AND type IN ('lead.merged', 'lead.unmerged') AND ${within("id", "$3", "$4")}`;

const MERGE = `SELECT id, winner_id, loser_id, changes, change_id, created_at::text AS since, undone_at IS NOT NULL AS undone
  FROM merge WHERE project_id = $1 AND id = $2`;

/** The events of the merged lead and of all leads merged into it earlier. */
const BACK = `WITH RECURSIVE part (id) AS (
    SELECT $3::text COLLATE "C" UNION SELECT lead.id FROM lead JOIN part ON lead.merged_into_id = part.id WHERE lead.project_id = $1
  ) UPDATE event SET lead_id = $3, merged_from = nullif(merged_from, $3)
    WHERE project_id = $1 AND lead_id = $2 AND merged_from IN (SELECT id FROM part)`;

const UNDONE = `UPDATE merge SET undone_at = moment() WHERE project_id = $1 AND id = $2`;

const JOINED = "joined ";
const SEPARATED = "separated ";

/** Merges: the merged lead returns, and the surviving one loses what the merge brought. A separation is undone by merging again. */
export const merges: Kind = {
  keptAs: ["merge"],
  async next(tx, undo, of) {
    if (of.merge !== undefined) return { ids: [`${JOINED}${of.merge}`], next: null };
    const found = await tx.query<{ id: string; joined: boolean }>(MERGES, [
      ...[undo.by.projectId, of.id],
      ...[of.from, of.to],
    ]);
    return { ids: found.map(({ id, joined }) => `${joined ? JOINED : SEPARATED}${id}`), next: null };
  },
  async load(tx, undo, of, ids, again) {
    const { by } = undo;
    if (by.kind === "named") throw new Error("merges are undone by members");
    const all = again ? (await merges.next(tx, undo, of, "")).ids : ids;
    const batches: Batch[] = [];
    for (const id of all) {
      const work: Work = { tx, undo, of, caller: by, again };
      if (id.startsWith(JOINED)) batches.push(...(await joined(work, id.slice(JOINED.length))));
      else if (!again) batches.push(separated(work, id.slice(SEPARATED.length)));
    }
    return batches;
  },
};

interface Work {
  tx: Transaction;
  undo: Change;
  of: Undone;
  caller: Credential;
  again: boolean;
}

type Db = Pick<Transaction, "query">;

export async function readMerge(db: Db, projectId: string, id: string): Promise<MergeRow | undefined> {
  return (await db.query<MergeRow>(MERGE, [projectId, id]))[0];
}

async function lockMerge(db: Db, projectId: string, id: string): Promise<MergeRow | undefined> {
  await db.query(`${MERGE} FOR UPDATE`, [projectId, id]);
  return await readMerge(db, projectId, id);
}

const NO_DECISIONS = { records: [], rules: LEAD_RULES, fits: () => true } as const;
const shown = (id: string) => ({ kind: "lead", id }) as const;

function separated({ tx, undo, caller }: Work, id: string): Batch {
  return {
    ...NO_DECISIONS,
    shown,
    async write() {
      const winner = await joinAgain(tx, undo, caller, id).catch((error: unknown) => {
        if (!(error instanceof Refusal) || error.kind !== "not_found") throw error;
        const message =
          "The two leads cannot be merged again: one of them was deleted, erased or merged since.";
        throw new Refusal("conflict", "lead_gone", message);
      });
      if (winner === undefined)
        throw new Refusal("conflict", "already_undone", "The two leads are merged again already.");
      return { refused: new Map(), done: new Map([[winner, "put_back"]]) };
    },
  };
}

export const alreadyUndone = (): Refusal =>
  new Refusal("conflict", "already_undone", "This merge has already been undone.");

async function joined(work: Work, id: string): Promise<Batch[]> {
  const { tx, of, caller, again } = work;
  const { projectId } = caller;
  await lockAllIdentities(tx, projectId);
  const merge = await lockMerge(tx, projectId, id);
  if (merge === undefined && !again) throw notFound("merge");
  if (merge === undefined || (again && !merge.undone)) return [];
  if (!again && merge.undone) throw alreadyUndone();
  const now = await lockLeads(tx, projectId, [merge.winner_id, merge.loser_id]);
  const [winner, loser] = [now.get(merge.winner_id), now.get(merge.loser_id)];
  if (winner === undefined || (loser === undefined && !again)) {
    if (again) return [];
    throw notFound("merge");
  }
  if (!again) await mustStandAlone(tx, projectId, winner);
  const { fits, patchOf } = await readFitting(tx, projectId);
  const record = await readLead(tx, projectId, { ...of, since: merge.since }, winner);
  const own = stepsOf(merge, winner, record.last);
  return [
    {
      records: [{ ...record, own, timeline: false }],
      rules: LEAD_RULES,
      fits,
      shown,
      async write([decision]) {
        const patch = patchOf(decision?.back ?? new Map());
        return again ? await putRest(work, winner, patch) : await separate(work, winner, loser, merge, patch);
      },
    },
  ];
}

/** The E.164 form belongs to `phone`, and goes back only with it; a later activity simply stays the latest. */
const stepsOf = ({ changes }: MergeRow, winner: LeadNow, order: number): UndoRecord["own"] =>
  Object.entries(changes).flatMap(([field, { from, to }]) =>
    field === "phone_e164" || (field === "last_activity_at" && !same(readField(winner, field), to))
      ? []
      : [{ field, from: from ?? null, to: to ?? null, order }],
  );

const INTO = "SELECT merged_into_id AS into FROM lead WHERE project_id = $1 AND id = $2";

/** Refuses (409) to separate a lead from one that was merged or deleted since. */
async function mustStandAlone(tx: Transaction, projectId: string, winner: LeadNow): Promise<void> {
  const { id } = winner;
  if (winner.merged) {
    const [found] = await tx.query<{ into: string }>(INTO, [projectId, id]);
    const message = `${id} has since been merged into ${found?.into}. Undo that merge first.`;
    throw new Refusal("conflict", "merged_since", message, {
      faults: [{ path: "id", code: "merged_since", message: found?.into ?? "" }],
    });
  }
  if (winner.deleted)
    throw new Refusal("conflict", "lead_deleted", `${id} has since been deleted. Restore it first.`);
}

async function separate(
  work: Work,
  winner: LeadNow,
  loser: LeadNow | undefined,
  merge: MergeRow,
  patch: LeadPatch,
): Promise<Written> {
  if (loser === undefined) throw notFound("merge");
  const { tx, caller } = work;
  // First the surviving lead, which may have the other's external id.
  await change(work, "set", winner, merge, { patch, other: loser });
  await change(work, "separate", loser, merge, { patch: {}, other: winner });
  await tx.query(BACK, [caller.projectId, winner.id, loser.id]);
  await tx.query(UNDONE, [caller.projectId, merge.id]);
  return {
    refused: new Map(),
    done: new Map([
      [winner.id, "put_back"],
      [loser.id, "restored"],
    ]),
  };
}

/** Changes one of the two leads; refuses (409) if a lead that the undo leaves as it is has the external id that it would get back. */
async function change(
  { tx, undo }: Work,
  op: "set" | "separate",
  { id }: LeadNow,
  { id: mergeId }: MergeRow,
  { patch, other }: { patch: LeadPatch; other: LeadNow },
): Promise<void> {
  const data = { merge_id: mergeId, lead_id: other.id };
  const event = { type: "lead.unmerged", title: "Merge undone", data } as const;
  writtenLead(await changeLeads(tx, undo, op, [{ place: 0, id, patch, event }]));
}

/** Puts back what the separation had kept. */
async function putRest({ tx, undo }: Work, { id }: LeadNow, patch: LeadPatch): Promise<Written> {
  if (Object.keys(patch).length === 0) return { refused: new Map() };
  const put = async (fields: LeadPatch) =>
    (await changeLeads(tx, undo, "set", [{ place: 0, id, patch: fields }]))[0]?.outcome;
  if ((await put(patch)) !== "taken") return { refused: new Map() };
  const { external_id: _, ...rest } = patch;
  if (Object.keys(rest).length > 0) await put(rest);
  return { refused: new Map([[id, [{ field: "external_id", reason: "taken" }]]]) };
}
