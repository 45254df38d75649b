/** The schema of the queue (graphile-worker's own tables and functions). */
export const WORKER_SCHEMA = "leadgate_worker";
