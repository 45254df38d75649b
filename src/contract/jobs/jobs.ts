import { type Static, Type } from "typebox";
import { Actor } from "../basics/actor.ts";
import { anyObject, IdInPath, nextCursor, orNull, paging, time, timeOrNull } from "../basics/basics.ts";
import { oneOf } from "../basics/constants.ts";
import { endpoint, json, type Tag } from "../basics/endpoint.ts";
import { Filter } from "../filters/filter.ts";
import { FILTER_OPS } from "../lists/bulk.ts";
import { JOB_STATES } from "../lists/states.ts";

const tag: Tag = { name: "jobs", description: "Changes of many leads that run in the background." };

/** The state of work in the background. */
export const JobState = Type.Enum(JOB_STATES, {
  $id: "JobState",
  description: "done, failed and cancelled are final.",
});

/** Why work in the background failed. */
export const JobError = Type.Object(
  {
    code: Type.String({ description: "Stable, for programs." }),
    message: Type.String({ description: "For people." }),
  },
  { $id: "JobError", description: "Why it failed." },
);
export type JobError = Static<typeof JobError>;

/** When work in the background was requested, started and ended. */
export const jobTimes = { created_at: time, started_at: timeOrNull, finished_at: timeOrNull };

const JobQuery = Type.Object(
  {
    filter: Filter,
    search: Type.Optional(Type.String()),
    timezone: Type.Optional(Type.String()),
    set: Type.Optional(anyObject),
    tags: Type.Optional(Type.Array(Type.String())),
    dry_run: Type.Optional(Type.Literal(false)),
  },
  { $id: "JobQuery", description: "The request: which leads, and what to change." },
);

/** A change of many leads in the background. */
export const Job = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(["bulk", "undo"], { description: "A bulk change, or the undo of a change." }),
    op: orNull(Type.Enum(FILTER_OPS), { description: "Of a bulk change." }),
    state: JobState,
    query: orNull(JobQuery, {
      description: "The request; null for a key that may not read leads, and for an undo.",
    }),
    actor: Actor,
    done: Type.Integer({
      description: "How many of total leads were processed: changed, unchanged and skipped.",
    }),
    total: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer({ description: "Leads that already had these values." }),
    skipped: Type.Integer({
      description: "Leads that had been deleted or merged, or had no room for another tag.",
    }),
    opt_outs_kept: Type.Integer({
      description:
        "Leads that keep an opt-out, which needs clear_opt_out; 0 for a key that may not read leads.",
    }),
    change_id: orNull(Type.String(), {
      description:
        "The change that it makes, by which it can be undone; null for jobs from before changes were kept.",
    }),
    error: orNull(JobError),
    ...jobTimes,
  },
  {
    $id: "Job",
    description: "A change of more than 10,000 leads, or its undo, which runs in the background.",
    examples: [
      {
        id: "job_01kagx3m5w8q2r7t9v4c6d1f0h",
        kind: "bulk",
        op: "tag_add",
        state: "running",
        query: { filter: { field: "country", op: "eq", value: "BR" }, tags: ["brazil"] },
        actor: { type: "key", id: "key_01kagx3m5w8q2r7t9v4c6d1f0h", label: "My CRM" },
        done: 12_000,
        total: 30_000,
        changed: 11_900,
        unchanged: 90,
        skipped: 10,
        opt_outs_kept: 0,
        change_id: "chg_01kagx3m5w8q2r7t9v4c6d1f0h",
        error: null,
        created_at: "2026-03-31T14:30:00.123456+00:00",
        started_at: "2026-03-31T14:30:01.123456+00:00",
        finished_at: null,
      },
    ],
  },
);
export type Job = Static<typeof Job>;

const JobPage = Type.Object({ jobs: Type.Array(Job), next_cursor: nextCursor }, { $id: "JobPage" });

const usual = { tag, refusals: "v1", needs: "leads:write" } as const;

export const listJobs = endpoint({
  ...usual,
  id: "jobs.list",
  method: "GET",
  url: "/api/v1/jobs",
  summary: "List jobs",
  description: "The project's changes of more than 10,000 leads by a filter, newest first.",
  query: Type.Object(paging),
  answers: { 200: json(JobPage, "A page of jobs.") },
});

export const getJob = endpoint({
  ...usual,
  id: "jobs.get",
  method: "GET",
  url: "/api/v1/jobs/{id}",
  summary: "Read a job",
  description: "Its progress. The counts are of stored batches, so they are always exact.",
  params: IdInPath,
  answers: { 200: json(Job, "The job.") },
  refused: [404],
});

export const cancelJob = endpoint({
  ...usual,
  id: "jobs.cancel",
  method: "POST",
  url: "/api/v1/jobs/{id}/cancel",
  summary: "Cancel a job",
  description:
    "Stops a job that is waiting or running. What it has changed stays changed, and is counted. Cancelling it again is " +
    "not an error; 409 if it ended in another way.",
  params: IdInPath,
  answers: { 200: json(Job, "The job, which is cancelled.") },
  refused: [404, 409],
});
