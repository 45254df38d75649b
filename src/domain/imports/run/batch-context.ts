import type { Actor } from "../../../contract/basics/actor.ts";
import type { ImportCounts } from "../../../contract/lists/outcomes.ts";
import type { Change } from "../../changes/change.ts";
import type { ImportTarget } from "../mapping/import-target.ts";
import type { FailedRow } from "./import-report.ts";

/** Where the rows of a batch go, and how. */
export interface BatchContext {
  target: ImportTarget;
  importId: string;
  /** The job that runs it; null on the command line. */
  jobId: string | null;
  actor: Actor;
  /** The change that records what is written. */
  change: Change;
  /** The file's columns by the fields that they fill. */
  headers: ReadonlyMap<string, string>;
  /** The time limit of a statement, in milliseconds. */
  limitMs: number;
  /** Starts reading the next batch; called while only the database is working. */
  readNext?(): void;
}

/** The least time limit of a batch's statements, in milliseconds. */
export const BATCH_MS = 120_000;

/** The outcome of a batch's rows. */
export interface Placed {
  counts: ImportCounts;
  failed: FailedRow[];
  /** Of leads: rows whose lead was created or changed by an earlier row. */
  repeated?: number;
}
