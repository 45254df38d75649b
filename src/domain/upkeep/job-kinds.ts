import { exportJob } from "../exports/export-job.ts";
import { importJob } from "../imports/import-job.ts";
import type { JobKind } from "../jobs/job.ts";
import { bulkJob } from "../leads/bulk/bulk-job.ts";
import { undoJob } from "../undo/undo-job.ts";

/** The kinds of jobs, by the `kind` of a job's row. */
export const JOB_KINDS: Readonly<Record<string, JobKind>> = {
  export: exportJob,
  bulk: bulkJob,
  import: importJob,
  undo: undoJob,
};
