import { Type } from "typebox";
import { UndoInput } from "../../../contract/changes/change.ts";
import { isId, newId } from "../../../core/id.ts";
import { notFound, Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Change, newChange } from "../../changes/change.ts";
import { recordChange } from "../../changes/record-change.ts";
import type { UndoneRecord } from "../../changes/undone-record.ts";
import { buildBehind } from "../../field-index/build-indexes.ts";
import { undoImport } from "../../imports/start-import-job.ts";
import { enqueueJob } from "../../jobs/enqueue-job.ts";
import { rehearse } from "../../leads/bulk/preview-bulk.ts";
import { againIfTaken } from "../../leads/identity/external-id.ts";
import { joinAgain } from "../../leads/merge/merge-leads.ts";
import { separate } from "../../leads/merge/undo-merge.ts";
import { type MemberContext, memberOperation, refuse, requiring } from "../../operation/operation.ts";
import { needsIndexes } from "../definitions/undo-definitions.ts";
import { firstOf, settledRecords, type UndoPosition, undoStep } from "./undo-parts.ts";
import { type UndoReport, undoReport } from "./undo-report.ts";
import {
  markUndone,
  needsToUndo,
  readsOf,
  sizeOf,
  type UndoneChange,
  undoneChange,
} from "./undone-change.ts";

/** More records would be locked too long, so a job undoes them. */
const MOST_AT_ONCE = 10_000;
/** The most unfinished undos of a project. */
const MOST_JOBS = 20;

/** Everything that can be undone was changed since: nothing is stored. */
class AllKept extends Error {
  readonly done: UndoneRecord[];
  constructor(done: UndoneRecord[]) {
    super("nothing was put back");
    this.done = done;
  }
}

/**
 * Undoes a change: puts former values back, except where somebody changed them since. The undo is a change itself. One of
 * more than 10,000 records is a job; a dry run reports what would be done.
 */
export const undoChange = memberOperation({
  name: "changes.undo",
  needs: "leads:write",
  orNeeds: "datasets:write",
  input: Type.Object(
    { id: Type.String({ description: "The change's id." }), ...UndoInput.properties },
    { additionalProperties: false },
  ),
  async run(asked, { id, dry_run: dry = false }): Promise<UndoReport> {
    if (!isId("chg", id)) return await refuse(asked.db, notFound("change"));
    const may = dry ? requiring(asked, { any: ["leads:write", "datasets:write"], changes: false }) : asked;
    const undone = await undoneChange(may.db, asked.caller, id);
    const needs = needsToUndo(undone);
    // A dry run tells what is stored, without a trace.
    const reading = dry ? readsOf(undone) : [];
    const all = [...(needs.all ?? []), ...reading];
    const context = requiring(asked, { ...needs, all, ...(dry && { changes: false }) });
    if (undone.kind === "import" && undone.about.import_id !== undefined && !dry)
      return await undoAsImport(context, undone, undone.about.import_id);
    const undo = newChange(context, "undo", {
      undoes: id,
      about: undone.about,
      ...(undone.lead_id === null ? {} : { leadId: undone.lead_id }),
    });
    if (sizeOf(undone) > MOST_AT_ONCE)
      return dry ? await rehearsePart(context, undo, undone) : await startUndo(context, undo, undone);
    return await undoAtOnce(context, undo, undone, dry);
  },
});

async function undoAtOnce(
  context: MemberContext,
  undo: Change,
  undone: UndoneChange,
  dry: boolean,
): Promise<UndoReport> {
  const { db } = context;
  const work = async (tx: Transaction): Promise<UndoneRecord[]> => {
    await tx.allow(60_000);
    await markUndone(tx, undo, undone);
    const done = await undoAll(tx, context, undo, undone);
    if (done.every(({ outcome }) => outcome === "kept")) throw new AllKept(done);
    return done;
  };
  const done = await againIfTaken(() => (dry ? rehearse(db, work) : db.transaction(work))).catch(
    (error: unknown) => {
      if (!(error instanceof AllKept)) throw error;
      undo.made = false;
      return error.done;
    },
  );
  if (dry) undo.made = false;
  if (undo.made && needsIndexes(done)) buildBehind(context.service, context.caller.projectId);
  return await undoReport(context, { undo, undone, dry, done });
}

/** The most steps of a dry run of a large change: some thousand records. */
const MOST_STEPS = 20;

/** Rehearses the first steps of a large undo, each in a transaction of its own, which holds its records only briefly. */
async function rehearsePart(context: MemberContext, undo: Change, undone: UndoneChange): Promise<UndoReport> {
  const { db } = context;
  const done: UndoneRecord[] = [];
  let at = firstOf(undone);
  for (let steps = 0; at !== null && steps < MOST_STEPS; steps += 1) {
    const from: UndoPosition = at;
    const step = await againIfTaken(() => rehearse(db, (tx) => undoStep(tx, undo, undone, from)));
    done.push(...step.done);
    at = step.next;
  }
  undo.made = false;
  return await undoReport(context, { undo, undone, dry: true, done, complete: at === null });
}

/** All parts in one transaction. */
async function undoAll(
  tx: Transaction,
  context: MemberContext,
  undo: Change,
  undone: UndoneChange,
): Promise<UndoneRecord[]> {
  const { merge_id: merge } = undone.about;
  if (merge !== undefined) return await undoMerge(tx, context, undo, { undone, merge });
  let done: UndoneRecord[] = [];
  for (let at: UndoPosition | null = firstOf(undone); at !== null; ) {
    const step = await undoStep(tx, undo, undone, at);
    done.push(...step.done);
    if (step.settled.leads.size > 0) done = settledRecords(done, step.settled);
    at = step.next;
  }
  return done;
}

/** Separates two leads, or merges them again if the change separated them. */
async function undoMerge(
  tx: Transaction,
  { caller }: MemberContext,
  undo: Change,
  { undone, merge }: { undone: UndoneChange; merge: string },
): Promise<UndoneRecord[]> {
  if (undone.counts.leads_merged === undefined) {
    const isJoined = await joinAgain(tx, undo, caller, merge).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.kind !== "not_found") throw error;
      const message =
        "The two leads cannot be merged again: one of them was deleted, erased or merged since.";
      throw new Refusal("conflict", "lead_gone", message);
    });
    if (!isJoined) throw new Refusal("conflict", "already_undone", "The two leads are merged again already.");
    return [{ kind: "lead", id: undone.lead_id ?? "", outcome: "put_back", putBack: [], kept: [] }];
  }
  const { kept = [], winner, loser } = await separate(tx, undo, caller, merge);
  const fields = kept.map((field) => ({ field, reason: "changed_since" }) as const);
  return [
    { kind: "lead", id: winner, outcome: "put_back", putBack: [], kept: fields },
    { kind: "lead", id: loser, outcome: "restored", putBack: [], kept: [] },
  ];
}

async function startUndo(context: MemberContext, undo: Change, undone: UndoneChange): Promise<UndoReport> {
  const { db, caller } = context;
  const job = newId("job");
  const input = {
    change_id: undone.id,
    since: undone.since,
    counts: undone.counts,
    needs: needsToUndo(undone),
  };
  await db.transaction(async (tx) => {
    await markUndone(tx, undo, undone);
    const asked = {
      id: job,
      kind: "undo",
      input,
      most: MOST_JOBS,
      total: sizeOf(undone),
      changeId: undo.id,
    } as const;
    if (!(await enqueueJob(tx, caller, asked))) {
      const text = `${MOST_JOBS} undos are already waiting. Wait until one has finished.`;
      throw new Refusal("too_many", "too_many_jobs", text, { retryAfter: 30 });
    }
    await recordChange(tx, { ...undo, jobId: job }, {});
  });
  undo.made = true;
  return await undoReport(context, { undo, undone, dry: false, done: [], job });
}

/** An import has a state of its own, which its undo changes; it is always a job. */
async function undoAsImport(context: MemberContext, undone: UndoneChange, id: string): Promise<UndoReport> {
  await undoImport.run(context, { id });
  const [row] = await context.db.query<{ undone_by: string | null }>(
    "SELECT undone_by FROM change WHERE project_id = $1 AND id = $2",
    [context.caller.projectId, undone.id],
  );
  const undo = { id: row?.undone_by ?? "", made: true };
  return await undoReport(context, { undo, undone, dry: false, done: [], job: null, running: true });
}
