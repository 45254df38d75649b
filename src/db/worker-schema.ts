/** The schema of the queue, with graphile-worker's tables and functions. */
export const WORKER_SCHEMA = "leadgate_worker";
