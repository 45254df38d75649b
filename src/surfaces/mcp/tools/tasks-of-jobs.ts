import type { Export } from "../../../contract/exports.ts";
import type { Job } from "../../../contract/jobs/jobs.ts";
import { isOngoing, type JobState } from "../../../contract/lists/states.ts";
import { isId } from "../../../core/id.ts";
import { Refusal } from "../../../core/refusal.ts";
import { cancelExport } from "../../../domain/exports/cancel-export.ts";
import { getExport } from "../../../domain/exports/get-export.ts";
import { cancelJob } from "../../../domain/jobs/cancel-job.ts";
import { getJob } from "../../../domain/jobs/get-job.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Tasks } from "../protocol/registry.ts";
import type { Task } from "../protocol/tasks.ts";
import { jobAnswer } from "./changes/list-changes.ts";
import { exportAnswer, exportLinks } from "./leads/export-leads.ts";

/** Exports, and changes of many leads with their undo. A task's id is the job's. */
export const TASKS_OF_JOBS: Tasks = {
  async get(call, id) {
    const { service, caller } = call;
    if (isId("exp", id)) {
      const json = await ifThere(perform(service, getExport, caller, { id }));
      if (json === undefined) return undefined;
      const record = JSON.parse(json) as Export;
      return await taskOf(record, record.expires_at, async () => {
        const answer = await exportAnswer(call, record);
        return { answer, links: exportLinks(answer) };
      });
    }
    const json = await ifThere(perform(service, getJob, caller, { id }));
    if (json === undefined) return undefined;
    const record = JSON.parse(json) as Job;
    return await taskOf(record, null, async () => ({ answer: jobAnswer(record), links: [] }));
  },

  async cancel({ service, caller }, id) {
    const operation = isId("exp", id) ? cancelExport : cancelJob;
    try {
      return (await ifThere(perform(service, operation, caller, { id }))) !== undefined;
    } catch (error) {
      // One that has ended is acknowledged, too.
      if (error instanceof Refusal && error.code === "already_ended") return true;
      throw error;
    }
  },
};

/** Undefined instead of a refusal because the record is not there. */
async function ifThere(reading: Promise<string>): Promise<string | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Refusal && error.kind === "not_found") return undefined;
    throw error;
  }
}

const STATUS: Record<JobState, Task["status"]> = {
  waiting: "working",
  running: "working",
  done: "completed",
  failed: "completed",
  cancelled: "cancelled",
};

async function taskOf(
  { id, state, done, total, created_at, started_at, finished_at }: Omit<Export, "query"> | Job,
  until: string | null,
  resultOf: () => Promise<{ answer: object; links: readonly object[] }>,
): Promise<Task> {
  const ended = !isOngoing(state) && state !== "cancelled";
  return {
    id,
    status: STATUS[state],
    message: `${state}: ${done}${total === null ? "" : ` of ${total}`} leads`,
    createdAt: created_at,
    updatedAt: finished_at ?? started_at ?? created_at,
    until,
    ...(ended ? { result: { ...(await resultOf()), isError: state === "failed" } } : {}),
  };
}
