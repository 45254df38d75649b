import prometheus from "prom-client";
import { registry } from "./registry.ts";

const refusals = new prometheus.Counter({
  name: "leadgate_refusals_total",
  help: "Requests that were refused, by the code of the refusal",
  labelNames: ["code"],
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
