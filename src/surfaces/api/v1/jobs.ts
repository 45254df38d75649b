import * as jobs from "../../../contract/jobs/jobs.ts";
import { cancelJob } from "../../../domain/jobs/cancel-job.ts";
import { getJob } from "../../../domain/jobs/get-job.ts";
import { listJobs } from "../../../domain/jobs/list-jobs.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../http/route/route.ts";
import { pathOf, queryOf } from "../shared/input.ts";

const list = operationRoute({
  endpoint: jobs.listJobs,
  caller: apiKey,
  input: (request, caller) => queryOf(request, caller, jobs.listJobs),
  operation: listJobs,
  reply: ({ json, nextCursor }) => ok(`{"jobs":${json},"next_cursor":${JSON.stringify(nextCursor)}}`),
});

const one = operationRoute({
  endpoint: jobs.getJob,
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, jobs.getJob), id: pathOf(request, "id") }),
  operation: getJob,
  reply: ok,
});

const cancel = operationRoute({
  endpoint: jobs.cancelJob,
  caller: apiKey,
  input: (request, caller) => ({ ...queryOf(request, caller, jobs.cancelJob), id: pathOf(request, "id") }),
  operation: cancelJob,
  reply: ok,
});

/** Bulk changes that run in the background. */
export const jobRoutes: readonly Route[] = [list, one, cancel];
