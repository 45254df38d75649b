import type { FastifyReply, FastifyRequest } from "fastify";
import prometheus from "prom-client";
import { type ProjectSize, sizeOf } from "../../domain/operation/project-size.ts";
import { registry } from "./registry.ts";

const refusals = new prometheus.Counter({
  name: "leadgate_refusals_total",
  help: "Requests that were refused, by the code of the refusal",
  labelNames: ["code"],
  registers: [registry],
});
const bySize = new prometheus.Histogram({
  name: "leadgate_project_request_seconds",
  help: "Time to answer a request, by the size of its project; without streams of events",
  labelNames: ["size", "outcome"],
  buckets: [0.01, 0.05, 0.25, 1, 5],
  registers: [registry],
});
const waits = new prometheus.Histogram({
  name: "leadgate_request_wait_seconds",
  help: "Time that requests waited for a slot, of those that did not get one at once",
  buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 3, 10],
  registers: [registry],
});

/** Counts a refused request. Codes are the service's own, so there are few. */
export const countRefusal = (code: string): void => refusals.inc({ code });

/** Records how long a request waited for a slot, whether it got one or not. */
export const countWait = (seconds: number): void => waits.observe(seconds);

declare module "fastify" {
  interface FastifyRequest {
    /** The project that the request's credential names. */
    projectId: string | null;
  }
}

/** Returns a function to call with the request's project. */
export const keepProject =
  (request: FastifyRequest) =>
  (projectId: string): void => {
    request.projectId = projectId;
  };

/** Records the time of a request by the size of its project: `unknown` if it was not read yet. */
export function countBySize(request: FastifyRequest, reply: FastifyReply): void {
  const { method, projectId } = request;
  if (method === "GET" && reply.getHeader("content-type") === EVENT_STREAM) return;
  const { statusCode } = reply;
  // A credential that is not valid names any project.
  const size = projectId === null || statusCode === 401 ? "none" : (sizeOf(projectId) ?? "unknown");
  const outcome = statusCode >= 500 ? "failed" : statusCode >= 400 ? "refused" : "ok";
  timerOf(size, outcome).observe(reply.elapsedTime / 1_000);
}

const EVENT_STREAM = "text/event-stream";
const timers = new Map<string, prometheus.Histogram.Internal<"size" | "outcome">>();

function timerOf(size: ProjectSize | "unknown" | "none", outcome: string) {
  const name = `${size} ${outcome}`;
  const timer = timers.get(name) ?? bySize.labels({ size, outcome });
  timers.set(name, timer);
  return timer;
}
