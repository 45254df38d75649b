import type { NotUndone } from "../../contract/changes/undo.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { Change } from "../changes/change.ts";
import type { UndoneRecord } from "../changes/undone-record.ts";
import { beginTarget, lockUndone, noteImport } from "./open-undo.ts";
import { firstOf, type Target, type UndoneStep, undoStep } from "./undo-step.ts";

/** What an undo did in one transaction. */
export interface Walked {
  done: UndoneRecord[];
  /** How many records were written, and by how many records more are kept. */
  written: number;
  kept: number;
  refused: NotUndone[];
  /** Whether it came to its end before the time was over. */
  complete: boolean;
}

/**
 * Takes back all targets in one transaction; `until` is when it stops, for a dry run. Of `several` changes, one that cannot
 * be taken back is named, and the others are taken back nevertheless.
 */
export async function undoAll(
  tx: Transaction,
  undo: Change,
  targets: readonly Target[],
  { several, until = Number.POSITIVE_INFINITY }: { several: boolean; until?: number },
): Promise<Walked> {
  const walked: Walked = { done: [], written: 0, kept: 0, refused: [], complete: true };
  for (const parts of partsByChange(targets)) {
    const own = await behindRefusals(tx, undo, parts[0], several, async () => {
      const all: Undone[] = [];
      for (const target of parts) {
        if (performance.now() > until) return [...all, { ...NOTHING, complete: false }];
        await beginTarget(tx, undo, target);
        const done = await undoTarget(tx, undo, target, until);
        if (several) await noteImport(tx, undo, target, done, true);
        all.push(done);
      }
      return all;
    });
    if ("code" in own) walked.refused.push(own);
    else
      for (const { done, written, kept, complete } of own) {
        walked.done.push(...done);
        walked.written += written;
        walked.kept += kept;
        walked.complete &&= complete;
      }
  }
  return walked;
}

/** The parts of each change, which are taken back together or not at all. */
function partsByChange(targets: readonly Target[]): (readonly [Target, ...Target[]])[] {
  const changes = [...Map.groupBy(targets, ({ of }) => of.id).values()];
  return changes.flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others]]));
}

/** Does the work for a target; of several, one that is refused is rolled back and named. */
export async function behindRefusals<T>(
  tx: Transaction,
  undo: Change,
  { of: { id }, marked }: Target,
  several: boolean,
  work: () => Promise<T>,
): Promise<T | NotUndone> {
  if (!several) return await work();
  await tx.query("SAVEPOINT target");
  try {
    const { undone_by: by } = await lockUndone(tx, undo.by.projectId, id);
    if (by !== (marked ? undo.id : null)) throw partlyUndone();
    const outcome = await work();
    await tx.query("RELEASE SAVEPOINT target");
    return outcome;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await tx.query("ROLLBACK TO SAVEPOINT target");
    return { change_id: id, code: error.code, message: error.message };
  }
}

/** The refusal (409) to undo a change with others of which another undo kept something. */
export const partlyUndone = (): Refusal =>
  new Refusal(
    "conflict",
    "partly_undone",
    "Another undo has taken back a part of this change. Undo the change by itself to continue that one.",
  );

/** What the steps of one target did. */
type Undone = Omit<Walked, "refused"> & Pick<UndoneStep, "first">;

const NOTHING: Undone = { done: [], written: 0, kept: 0, first: { inRun: 0, ever: 0 }, complete: true };

/** Performs the steps of one target. A record that waited for another one's value was a record before. */
async function undoTarget(tx: Transaction, undo: Change, target: Target, until: number): Promise<Undone> {
  const records = new Map<string, UndoneRecord>();
  const sums = { written: 0, kept: 0, first: { inRun: 0, ever: 0 } };
  for (let at = firstOf(target); at !== null; ) {
    if (performance.now() > until) return { done: [...records.values()], ...sums, complete: false };
    const step = await undoStep(tx, undo, target, at);
    for (const record of step.done) {
      const key = `${record.kind} ${record.id}`;
      records.set(key, together(records.get(key), record));
    }
    sums.written += step.written;
    sums.kept += step.kept;
    sums.first.ever += step.first.ever;
    at = step.next;
  }
  return { done: [...records.values()].filter(isTold), ...sums, complete: true };
}

const isTold = ({ outcome, kept }: UndoneRecord): boolean => outcome !== "kept" || kept.length > 0;

function together(first: UndoneRecord | undefined, second: UndoneRecord): UndoneRecord {
  if (first === undefined) return second;
  const isWritten = second.outcome !== "kept" && (second.outcome !== "withdrawn" || first.outcome === "kept");
  return {
    ...second,
    outcome: isWritten ? second.outcome : first.outcome,
    putBack: [...new Set([...first.putBack, ...second.putBack])].sort(),
  };
}
