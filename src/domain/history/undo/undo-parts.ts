import type { UndoOutcome } from "../../../contract/lists/changes.ts";
import { UNDO_OUTCOMES } from "../../../contract/lists/changes.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { UndoneRecord } from "../../changes/undone-record.ts";
import { undoRows } from "../../datasets/undo-change-rows.ts";
import { putBackTaken, type Settled } from "../../leads/undo/taken-ids.ts";
import { undoHidden } from "../../leads/undo/undo-hidden.ts";
import { type Undone, undoLeads } from "../../leads/undo/undo-leads.ts";
import { undoDefinitions } from "../definitions/undo-definitions.ts";
import { narrowStatuses } from "../definitions/undo-lists.ts";

/**
 * The parts of an undo, in their order: fields and statuses, which values need, and saved views; leads; external ids that waited for other
 * leads; values of deleted and merged leads; rows; and statuses that no lead has any more.
 */
const PARTS = ["definitions", "leads", "taken", "hidden", "rows", "statuses"] as const;

type Part = (typeof PARTS)[number];

/** What a change has counted if it has something for the part. */
const COUNTED: Record<Part, RegExp> = {
  definitions: /^(fields|views)_/,
  leads: /^(leads|events)_/,
  taken: /^leads_/,
  hidden: /^fields_/,
  rows: /^rows_/,
  statuses: /^fields_/,
};

/** A change to undo, with what it counted. */
export interface Undoing extends Undone {
  counts: Partial<Record<string, number>>;
}

/** Where an undo continues: in a part, behind a record. */
export interface UndoPosition {
  part: Part;
  after: string;
}

/** Where the undo of a change begins; null if it has nothing. */
export const firstOf = (of: Pick<Undoing, "counts">): UndoPosition | null => behind(of, -1);

function behind({ counts }: Pick<Undoing, "counts">, place: number): UndoPosition | null {
  const part = PARTS.slice(place + 1).find((each) =>
    Object.keys(counts).some((name) => COUNTED[each].test(name)),
  );
  return part === undefined ? null : { part, after: "" };
}

/** What a step of an undo did. */
export interface UndoneStep {
  done: UndoneRecord[];
  /** Leads that were kept for their external id and have it now. */
  settled: Settled;
  next: UndoPosition | null;
}

/** Performs the next step of an undo: some hundred records of one part. */
export async function undoStep(
  tx: Transaction,
  undo: Change,
  of: Undoing,
  { part, after }: UndoPosition,
): Promise<UndoneStep> {
  const end = behind(of, PARTS.indexOf(part));
  const ended = (done: UndoneRecord[] = [], settled = NONE): UndoneStep => ({ done, settled, next: end });
  switch (part) {
    case "definitions":
      return ended(await undoDefinitions(tx, undo, of.id));
    case "taken":
      return ended([], await putBackTaken(tx, undo, of));
    case "hidden": {
      const next = await undoHidden(tx, undo, of.id, after);
      return { done: [], settled: NONE, next: next === null ? end : { part, after: next } };
    }
    case "statuses":
      await narrowStatuses(tx, undo, of.id);
      return ended();
    default: {
      const { done, next } =
        part === "leads"
          ? await undoLeads(tx, undo, of, after)
          : await undoRows(tx, undo, of.id, after === "" ? null : { id: after });
      return { done, settled: NONE, next: next === null ? end : { part, after: next } };
    }
  }
}

const NONE: Settled = { leads: new Set(), freed: 0, first: 0 };

export type UndoCounts = Record<UndoOutcome, number>;

/** The number of records by outcome; one with something kept counts as kept, too. */
export function countUndone(done: readonly UndoneRecord[]): UndoCounts {
  const counts = Object.fromEntries(UNDO_OUTCOMES.map((name) => [name, 0])) as UndoCounts;
  for (const { outcome, kept } of done) {
    if (outcome !== "kept") counts[outcome] += 1;
    if (kept.length > 0) counts.kept += 1;
  }
  return counts;
}

/** Corrects the records of leads that were kept for an external id and have it now. */
export function settledRecords(done: readonly UndoneRecord[], settled: Settled): UndoneRecord[] {
  return done.map((record) => {
    if (record.kind !== "lead" || !settled.leads.has(record.id)) return record;
    const kept = record.kept.filter(({ field, reason }) => field !== "external_id" || reason !== "taken");
    return { ...record, outcome: "put_back", putBack: [...record.putBack, "external_id"].sort(), kept };
  });
}
