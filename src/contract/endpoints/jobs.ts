import { Type } from "typebox";
import { IdInPath, paging } from "../nouns/basics/basics.ts";
import { Job, JobPage } from "../nouns/job.ts";
import { endpoint, json } from "./shared/endpoint.ts";

const usual = { tag: "jobs", refusals: "v1", needs: "leads:write" } as const;

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
