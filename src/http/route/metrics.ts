import type { FastifyInstance } from "fastify";
import prometheus from "prom-client";
import type { Config } from "../../config/config.ts";
import { sameText } from "../../core/secret.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { isFromHere } from "../request/from-here.ts";

export const registry = new prometheus.Registry();
prometheus.collectDefaultMetrics({ register: registry });
const seconds = new prometheus.Histogram({
  name: "leadgate_request_seconds",
  help: "Time to answer a request",
  labelNames: ["listener", "method", "route", "status"],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers: [registry],
});
const connections = new prometheus.Gauge({
  name: "leadgate_database_connections",
  help: "Database connections for requests: in use, idle, and requests that wait for one",
  labelNames: ["state"],
  registers: [registry],
});
const ready = new prometheus.Gauge({
  name: "leadgate_ready",
  help: "1 if the check passes, else 0: the database answers; it takes changes",
  labelNames: ["check"],
  registers: [registry],
});

/** Adds `/metrics`, and measures the time of all requests. */
export function addMetrics(app: FastifyInstance, service: Service, config: Config, name: string): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    seconds.observe(
      { listener: name, method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1_000,
    );
    done();
  });
  app.get("/metrics", { config: { always: true } }, async (request, reply) => {
    const given = request.headers.authorization ?? "";
    const { metricsToken } = config;
    const hasToken = metricsToken !== undefined && sameText(given, `Bearer ${metricsToken}`);
    if (!hasToken && !isFromHere(request.raw)) return reply.code(403).send(REFUSED);
    await measure(service);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

const REFUSED = {
  status: "forbidden",
  reason:
    "Metrics are for this machine or for holders of a token. Call a loopback address directly, not through a proxy " +
    "(http://127.0.0.1:PORT/metrics), or set METRICS_TOKEN and send it as Authorization: Bearer TOKEN.",
};

/** Sets the gauges of the database. */
async function measure({ readiness }: Service): Promise<void> {
  const { answers, fault } = await readiness.check();
  for (const [state, number] of Object.entries(readiness.connections)) connections.set({ state }, number);
  ready.set({ check: "database" }, answers ? 1 : 0);
  ready.set({ check: "writes" }, answers && fault === undefined ? 1 : 0);
}
