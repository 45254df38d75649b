import { Type } from "typebox";
import { cancelJob } from "../../../domain/jobs/cancel-job.ts";
import { getJob } from "../../../domain/jobs/get-job.ts";
import { JobList } from "../../../domain/jobs/job-page.ts";
import { listJobs } from "../../../domain/jobs/list-jobs.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { IdInPath, refusals, stringOrNull } from "../shared/described.ts";
import { pathOf, queryOf } from "../shared/input.ts";
import { JobBody } from "../shared/job-described.ts";

const usual = { tags: ["jobs"], bearer: true as const };

const list = operationRoute({
  method: "GET",
  url: "/api/v1/jobs",
  describe: {
    ...usual,
    summary: "List jobs",
    description: "The project's bulk changes of more than 10,000 leads, newest first.",
    query: JobList,
    answers: {
      200: Type.Object({
        jobs: Type.Array(JobBody),
        next_cursor: stringOrNull,
      }),
      ...refusals(),
    },
  },
  caller: apiKey,
  input: (request, caller) => queryOf(request, caller, { limit: "integer", cursor: "text" }),
  operation: listJobs,
  reply: ({ json, nextCursor }) => ok(`{"jobs":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
});

const one = operationRoute({
  method: "GET",
  url: "/api/v1/jobs/:id",
  describe: {
    ...usual,
    summary: "Read a job",
    description: "Its progress. The counts are of stored batches, so they are always exact.",
    params: IdInPath,
    answers: { 200: JobBody, ...refusals(404) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
  operation: getJob,
  reply: ok,
});

const cancel = operationRoute({
  method: "POST",
  url: "/api/v1/jobs/:id/cancel",
  describe: {
    ...usual,
    summary: "Cancel a job",
    description:
      "Stops a job that is waiting or running. What it has changed stays changed, and is counted. Cancelling it again is " +
      "not an error; 409 if it ended in another way.",
    params: IdInPath,
    answers: { 200: JobBody, ...refusals(404, 409) },
  },
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, {}), id: pathOf(request, "id") }),
  operation: cancelJob,
  reply: ok,
});

/** Bulk changes that run in the background. */
export const jobRoutes: readonly Route[] = [list, one, cancel];
