import type { KeptReason, UndoOutcome } from "../../../contract/lists/changes.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Change } from "../../changes/change.ts";
import type { UndoneRecord } from "../../changes/undone-record.ts";
import type { Decision, Fits, Rules, UndoRecord } from "../rule/decide.ts";

/** What is taken back: a change, or the part of it between two ids of its events and items. */
export interface Undone {
  id: string;
  /** When the change began, as PostgreSQL prints it. */
  since: string;
  from: string | null;
  to: string | null;
  /** The merge that the change made, if that must be known without the change, which may be kept no longer. */
  merge?: string;
}

/** Records of a change, in the order in which they are undone, and behind what the next ones follow; null at the end. */
export interface RecordPage {
  ids: readonly string[];
  next: string | null;
}

/** What could not be written after all: fields, or the whole record. */
export interface Refused {
  field: string | null;
  reason: KeptReason;
}

export interface Written {
  refused: ReadonlyMap<string, readonly Refused[]>;
  /** The records whose events were withdrawn or brought back. */
  events?: ReadonlySet<string>;
  /** Outcomes that no decision shows: of leads that were separated or merged. */
  done?: ReadonlyMap<string, UndoOutcome>;
}

/** Some records of a change, under their locks. */
export interface Batch {
  records: readonly UndoRecord[];
  rules: Rules;
  fits: Fits;
  /** A record as callers know it. */
  shown(id: string): Pick<UndoneRecord, "kind" | "id" | "datasetId">;
  /** A field as callers know it, if that is another name. */
  keyOf?(field: string): string;
  /** Performs decisions. `whole` are the records that are not limited to some fields. */
  write(decisions: readonly Decision[], whole: ReadonlySet<string>): Promise<Written>;
}

/** How records of one kind are found, read and written. Everything else about an undo is the same for all. */
export interface Kind {
  /** The kinds of records whose kept items are this kind's. */
  keptAs: readonly string[];
  /** Whether callers do not see these records: only what is kept of them is reported. */
  isHidden?: true;
  next(tx: Transaction, undo: Change, of: Undone, after: string): Promise<RecordPage>;
  /** Locks and reads records. `again` are those of which an earlier round of the same undo kept something. */
  load(
    tx: Transaction,
    undo: Change,
    of: Undone,
    ids: readonly string[],
    again: boolean,
  ): Promise<readonly Batch[]>;
}

/** The rules of leads. */
export const LEAD_RULES: Rules = { absent: "deleted", optOut: "do_not_contact" };

/** How many records a step of an undo locks and writes. */
export const STEP = 500;

/** SQL for whether an id of an event or an item is in the part of the change; `from` and `to` are its parameters. */
export const within = (id: string, from: string, to: string): string =>
  `(${from}::text IS NULL OR ${id} > ${from}) AND (${to}::text IS NULL OR ${id} < ${to})`;

/** How a definition is read and written: a custom field, the project's statuses, its untracked fields, or a saved view. */
export interface Definition {
  /** Why one is kept that a change altered and that is not there. */
  absent: KeptReason;
  counted: "fields_changed" | "views_changed";
  /** Locks the definition and returns it with its version; undefined if it does not exist. */
  lock(
    tx: Transaction,
    projectId: string,
    id: string,
  ): Promise<{ now: object; version?: number } | undefined>;
  /** Writes the former definition (null deletes it), or returns why it does not. */
  write(tx: Transaction, projectId: string, given: Rewrite): Promise<Rewritten | KeptReason>;
}

interface Rewrite {
  id: string;
  /** The change that is undone. */
  of: string;
  now: object | null;
  former: object | null;
  /** The latest version that a change tells of. */
  version: number;
}

interface Rewritten {
  after: object | null;
  version?: number | undefined;
}
