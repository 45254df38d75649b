/** What was measured about the database, by the worker; see measureDatabase. */
export interface DatabaseFigures {
  bytes: number;
  transaction_seconds: number;
  idle_seconds: number;
  prepared_seconds: number;
  statement_seconds: number;
  connections: number;
  most_connections: number;
  dead_rows: number;
  frozen_age: number;
  retained_bytes: number;
  /** When it was measured, in seconds since 1970. */
  measured: number;
}

/** What keeps old rows that vacuum could remove otherwise. */
export type RowKeeper = "transaction" | "prepared" | "slot" | "standby";

/** Unfinished jobs of one kind in one state. */
export interface JobFigures {
  kind: string;
  state: string;
  count: number;
  /** The age of the oldest, in seconds. */
  age: number;
}

/** Receives what the rooms below report. */
export interface Listener {
  /** Work of this lane waited so long for a database connection, or got none. */
  waited(lane: string, seconds: number): void;
  refused(lane: string, reason: "own" | "busy" | "lock" | "away"): void;
  /** A run of a job ended: `done`, `failed`, or `again` if the job goes back to the queue. */
  ran(kind: string, outcome: "done" | "failed" | "again", seconds: number): void;
  mailed(outcome: "sent" | "failed"): void;
  /** `kept` has the number of transactions since the oldest one whose rows are kept, by what keeps them. */
  database(figures: DatabaseFigures, jobs: readonly JobFigures[], kept: ReadonlyMap<RowKeeper, number>): void;
  /** A commit has waited so long for PostgreSQL's log to be on the disk, its round trip included. */
  committed(seconds: number): void;
  /** A connection to the database has ended while it was open. */
  lostConnection(): void;
}

const NOBODY: Listener = {
  waited() {},
  refused() {},
  ran() {},
  mailed() {},
  database() {},
  committed() {},
  lostConnection() {},
};

/**
 * What the rooms of the service report about their work. Nobody listens on the command line, which so need not load a
 * library of metrics.
 */
export let report: Listener = NOBODY;

/** Sends the reports of this process to `listener` from now on. */
export function listenTo(listener: Listener): void {
  report = listener;
}
