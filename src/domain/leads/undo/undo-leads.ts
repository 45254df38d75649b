import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import { recordItems } from "../../changes/record-items.ts";
import type { KeptField, UndoneRecord } from "../../changes/undone-record.ts";
import { changeLeads, type LeadChange, type LeadOp } from "../write/change-leads.ts";
import { type Decision, decideLead } from "./decide-lead.ts";
import { readFitting } from "./fitting.ts";
import { lockLeads, nextLeads, readEffects, readSince } from "./read-effects.ts";
import { bringBackEvents, withdrawEvents } from "./timeline-parts.ts";

/** How many leads one step of an undo locks and writes. */
const UNDO_BATCH = 500;

/** The change that is undone: its id, and when it began. */
export interface Undone {
  id: string;
  since: string;
}

/** A step of an undo: what was done to its leads, and behind which id the next one continues; null at the end. */
export interface UndoStep {
  done: UndoneRecord[];
  next: string | null;
}

/**
 * Takes back what a change did to the next leads behind an id, as a part of the change `undo`. Decided under the leads'
 * locks, so that a concurrent edit is either seen and kept, or comes after.
 */
export async function undoLeads(
  tx: Transaction,
  undo: Change,
  of: Undone,
  after: string,
  limit = UNDO_BATCH,
): Promise<UndoStep> {
  const { projectId } = undo.by;
  const ids = await nextLeads(tx, { projectId, change: of.id, after, limit });
  const last = ids.at(-1);
  if (last === undefined) return { done: [], next: null };
  const fitting = await readFitting(tx, projectId);
  const now = await lockLeads(tx, projectId, ids);
  const effects = await readEffects(tx, projectId, of.id, ids);
  const since = await readSince(tx, { projectId, change: of.id, since: of.since }, ids);
  const decisions = effects.map((effect) =>
    decideLead(effect, now.get(effect.id), since.get(effect.id) ?? NOTHING, fitting.fits),
  );
  const refused = await write(tx, undo, decisions, fitting.patchOf);
  const gone = new Set(decisions.flatMap(({ id, op }) => (op === "delete" ? [id] : [])));
  // A created lead keeps its events: they come back with it.
  const recorded = effects.filter(({ id, recorded }) => recorded.length > 0 && !gone.has(id));
  const withdrawn = await withdrawEvents(
    tx,
    undo,
    of.id,
    recorded.map(({ id }) => id),
  );
  const back = await bringBackEvents(
    tx,
    undo,
    of.id,
    effects.filter(({ withdrew }) => withdrew).map(({ id }) => id),
  );
  const done = decisions.flatMap((decision) =>
    undoneLead(decision, refused.get(decision.id), withdrawn.has(decision.id) || back.has(decision.id)),
  );
  await keep(tx, undo, done);
  return { done, next: ids.length < limit ? null : last };
}

const NOTHING = { steps: [], step: undefined, event: undefined };

/** Writes the decisions; returns the leads whose former external id another lead has, which were written without it. */
async function write(
  tx: Transaction,
  undo: Change,
  decisions: readonly Decision[],
  patchOf: (back: ReadonlyMap<string, unknown>) => LeadChange["patch"],
): Promise<ReadonlyMap<string, KeptField>> {
  const refused = new Map<string, KeptField>();
  const run = async (op: LeadOp, chosen: readonly Decision[]) => {
    const leads = chosen.map(({ id, back }, place) => ({ place, id, patch: patchOf(back) }));
    return await changeLeads(tx, undo, op, leads);
  };
  const of = (op: Decision["op"]) => decisions.filter((each) => each.op === op);
  await run("delete", of("delete"));
  for (const { id, outcome } of await run("restore", of("restore")))
    if (outcome === "taken") refused.set(id, { field: null, reason: "taken" });
  const sets = of("set");
  for (const { id, outcome } of await run("set", sets))
    if (outcome === "taken") refused.set(id, { field: "external_id", reason: "taken" });
  const again = sets.flatMap((decision) => {
    if (!refused.has(decision.id)) return [];
    const back = new Map([...decision.back].filter(([field]) => field !== "external_id"));
    return back.size === 0 ? [] : [{ ...decision, back }];
  });
  await run("set", again);
  return refused;
}

const OUTCOMES = { delete: "deleted", restore: "restored", set: "put_back" } as const;

function undoneLead(
  { id, op, back, kept }: Decision,
  refused: KeptField | undefined,
  events: boolean,
): UndoneRecord[] {
  const left = refused === undefined ? kept : [...kept, refused];
  const isDone = op !== "none" && !(refused !== undefined && (refused.field === null || back.size === 1));
  if (!isDone && !events && left.length === 0) return [];
  const outcome = isDone ? OUTCOMES[op] : events ? "withdrawn" : "kept";
  const putBack = [...back.keys()].filter((field) => field !== refused?.field);
  return [{ kind: "lead", id, outcome, putBack: isDone ? putBack.sort() : [], kept: left }];
}

/** Keeps with the undo what it left alone, for those who read it later. */
async function keep(tx: Transaction, undo: Change, done: readonly UndoneRecord[]): Promise<void> {
  const left = done.filter(({ kept }) => kept.length > 0);
  if (left.length === 0) return;
  await recordItems(
    tx,
    undo,
    { kept: left.length },
    left.map(({ kind, id, datasetId, putBack, kept }) => ({
      kind: "kept",
      recordId: id,
      ...(datasetId === undefined ? {} : { datasetId }),
      before: null,
      after: { kind, put_back: putBack, kept: kept.map(shownKept) },
    })),
  );
}

/** A kept field as callers see it. */
export const shownKept = ({ field, reason, by, change_id: change, at }: KeptField) => ({
  ...{ field, reason, by: by ?? null, change_id: change ?? null, at: at ?? null },
});
