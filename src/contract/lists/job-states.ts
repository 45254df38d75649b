/** The states of exports and jobs; the last three are final. */
export const JOB_STATES = ["waiting", "running", "done", "failed", "cancelled"] as const;
export type JobState = (typeof JOB_STATES)[number];
