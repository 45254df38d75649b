/** The states of exports and of jobs; the last three are final. */
export const JOB_STATES = ["waiting", "running", "done", "failed", "cancelled"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Whether the state can still change. */
export const isOngoing = (state: JobState): boolean => state === "waiting" || state === "running";

/** The states of an import after its upload. */
export const IMPORT_STATES = [
  ...(["ready", "checking", "waiting", "running", "done"] as const),
  ...(["failed", "cancelled", "undoing", "undone"] as const),
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];
