import type { Statement } from "./statement-batch.ts";

/**
 * For statements that read a project's most, in their own transaction. Connections begin without: starting workers
 * takes longer than a page (40 to 52 ms against 6 to 12).
 */
export const PARALLEL: Statement = {
  text: "SELECT set_config('max_parallel_workers_per_gather', '2', true)",
  values: [],
};
