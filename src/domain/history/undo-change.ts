import { Type } from "typebox";
import type { ChangeAbout } from "../../contract/changes/change.ts";
import { type NotUndone, type Undo, UndoInput } from "../../contract/changes/undo.ts";
import { isId, newId } from "../../core/id.ts";
import { notFound, Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { type Change, newChange } from "../changes/change.ts";
import { buildBehind } from "../field-index/build-indexes.ts";
import { undoImport } from "../imports/start-import-job.ts";
import { enqueueJob } from "../jobs/enqueue-job.ts";
import { rehearse } from "../leads/bulk/preview-bulk.ts";
import { againIfTaken } from "../leads/identity/external-id.ts";
import { type MemberContext, memberOperation, refuse, requiring } from "../operation/operation.ts";
import {
  endStopped,
  lockUndone,
  marked,
  recordsOf,
  startedBy,
  targetsOf,
  type UndoneChange,
  undoneChange,
} from "../undo/open-undo.ts";
import { undoAll, type Walked } from "../undo/run-undo.ts";
import { wholeTarget } from "../undo/undo-job.ts";
import type { Target } from "../undo/undo-step.ts";
import { type Counts, needsToUndo, readsOf } from "../undo/undoable.ts";
import { type UndoReport, undoReport } from "./undo-report.ts";

/** More records would be locked too long, so a job undoes them; so many changes would take too long as well. */
const MOST_AT_ONCE = 10_000;
const MOST_CHANGES_AT_ONCE = 1_000;
/** The most unfinished undos of a project. */
const MOST_JOBS = 20;
/** A dry run of more records ends after this time, since others wait for them meanwhile. */
const DRY_RUN_MS = 5_000;

/**
 * Undoes a change: puts former values back, except where somebody changed them since. The undo is a change itself, and undoing
 * the change again continues it. One of more than 10,000 records is a job; a dry run reports what would be done.
 */
export const undoChange = memberOperation({
  name: "changes.undo",
  needs: "leads:write",
  orNeeds: "datasets:write",
  input: Type.Object(
    { id: Type.String({ description: "The change's id." }), ...UndoInput.properties },
    { additionalProperties: false },
  ),
  async run(asked, { id, dry_run: dry = false, clear_opt_out: clears = false }): Promise<Undo> {
    if (!isId("chg", id)) return await refuse(asked.db, notFound("change"));
    const may = dry ? requiring(asked, { any: ["leads:write", "datasets:write"], changes: false }) : asked;
    const undone = await undoneChange(may.db, asked.caller, id);
    const context = permitted(asked, undone.counts, dry);
    if (undone.kind === "import" && undone.about.import_id !== undefined && !dry)
      return await undoAsImport(context, undone, { id: undone.about.import_id, clear_opt_out: clears });
    const { report } = await performUndo(context, {
      undoes: id,
      about: withoutReason(undone.about),
      leadId: undone.lead_id,
      counts: undone.counts,
      dry,
      several: false,
      async open(tx) {
        const locked = await lockUndone(tx, context.caller.projectId, id);
        const targets = await targetsOf(tx, context.caller.projectId, undone, locked, { clears });
        return { id: locked.undone_by, targets };
      },
    });
    return { ...report, undoes: id };
  },
});

/** The reason was that of the change. */
const withoutReason = ({ reason: _, ...about }: ChangeAbout): ChangeAbout => about;

/** The caller behind a door that requires the permissions to undo what changes have counted, and to read it for a dry run. */
export function permitted(asked: MemberContext, counts: Counts, dry: boolean): MemberContext {
  const needs = needsToUndo(counts);
  // A dry run tells what is stored, without a trace.
  const all = [...(needs.all ?? []), ...(dry ? readsOf(counts) : [])];
  return requiring(asked, { ...needs, all, ...(dry && { changes: false }) });
}

/** An undo to perform. */
export interface Undoing {
  /** Null for an undo of several changes. */
  undoes: string | null;
  about: ChangeAbout;
  leadId: string | null;
  counts: Counts;
  dry: boolean;
  several: boolean;
  /** Locks what is undone; returns its targets, and the undo that is continued, if one is. */
  open(tx: Transaction): Promise<{ id: string | null; targets: readonly Target[] }>;
}

/** Everything that can be undone was changed since: nothing is stored. */
class AllKept extends Error {}

interface Performed {
  undo: Change;
  total: number;
  job: string | null;
  walked: Walked | undefined;
}

/** Undoes changes in the call, by a job, or as a rehearsal. */
export async function performUndo(
  context: MemberContext,
  undoing: Undoing,
): Promise<{ report: UndoReport; refused: readonly NotUndone[] }> {
  const { service, db, caller } = context;
  const { dry, undoes, about, leadId, counts } = undoing;
  let performed: Performed | undefined;
  const begin = (id: string | null): Performed => {
    // The one of an attempt that was rolled back.
    if (performed !== undefined) performed.undo.made = false;
    const undo = newChange(context, "undo", {
      ...{ id: id ?? newId("chg"), about },
      ...(undoes === null ? {} : { undoes }),
      ...(leadId === null ? {} : { leadId }),
    });
    performed = { undo, total: 0, job: null, walked: undefined };
    return performed;
  };
  const work = async (tx: Transaction): Promise<Performed> => {
    await tx.allow(60_000);
    const { id, targets } = await undoing.open(tx);
    const own = begin(id);
    await undoIn(tx, context, undoing, own, targets);
    const hasEnded = id !== null && own.job === null && (await endStopped(tx, own.undo, targets));
    if (own.walked !== undefined && own.walked.written === 0 && own.walked.kept >= 0 && !hasEnded)
      throw new AllKept("all kept");
    return own;
  };
  await againIfTaken(() => (dry ? rehearse(db, work) : db.transaction(work))).catch((error: unknown) => {
    if (!(error instanceof AllKept)) throw error;
  });
  if (performed === undefined) throw new Error("an undo ended without an outcome");
  const { undo, walked } = performed as Performed;
  if (walked !== undefined) undo.made = !dry && walked.written > 0;
  const hasFields = walked?.done.some(({ kind, outcome }) => kind === "field" && outcome !== "kept") ?? false;
  if (undo.made && hasFields) buildBehind(service, caller.projectId);
  const report = await undoReport(context, { ...(performed as Performed), counts, dry });
  return { report, refused: walked?.refused ?? [] };
}

async function undoIn(
  tx: Transaction,
  context: MemberContext,
  undoing: Undoing,
  own: Performed,
  targets: readonly Target[],
): Promise<void> {
  const { dry, several } = undoing;
  own.total = await recordsOf(tx, context.caller.projectId, own.undo.id, targets);
  if (!dry && (own.total > MOST_AT_ONCE || targets.length > MOST_CHANGES_AT_ONCE)) {
    own.job = await startJob(tx, context, undoing, own, targets);
    return;
  }
  const until = dry && own.total > MOST_AT_ONCE ? performance.now() + DRY_RUN_MS : Number.POSITIVE_INFINITY;
  own.walked = await undoAll(tx, own.undo, targets, { several, until });
}

async function startJob(
  tx: Transaction,
  { caller }: MemberContext,
  { counts, several }: Undoing,
  { undo, total }: Performed,
  targets: readonly Target[],
): Promise<string> {
  const job = newId("job");
  const asked = { id: job, kind: "undo", most: MOST_JOBS, total, changeId: undo.id } as const;
  const work = { undo: undo.id, targets: await marked(tx, undo, targets, several), several };
  const input = { ...work, needs: needsToUndo(counts) };
  if (!(await enqueueJob(tx, caller, { ...asked, input }))) {
    const text = `${MOST_JOBS} undos are already waiting. Wait until one has finished.`;
    throw new Refusal("too_many", "too_many_jobs", text, { retryAfter: 30 });
  }
  await startedBy(tx, undo, job);
  return job;
}

/** An import has a state of its own, which its undo changes; it is always a job. */
async function undoAsImport(
  context: MemberContext,
  undone: UndoneChange,
  undoing: { id: string; clear_opt_out: boolean },
): Promise<Undo> {
  await undoImport.run(context, undoing);
  const [row] = await context.db.query<{ undone_by: string | null }>(
    "SELECT undone_by FROM change WHERE project_id = $1 AND id = $2",
    [context.caller.projectId, undone.id],
  );
  const undo = { id: row?.undone_by ?? "", made: true };
  const total = await recordsOf(context.db, context.caller.projectId, undo.id, [
    wholeTarget(undone.id, undone.since, undone.counts),
  ]);
  const { id: undoes, counts } = undone;
  const report = await undoReport(context, { undo, counts, dry: false, total, job: null, walked: undefined });
  return { ...report, undoes };
}
