import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import prometheus from "prom-client";
import type { Config } from "../../config/config.ts";
import { isoMoment } from "../../core/moment.ts";
import { sameText } from "../../core/secret.ts";
import type { Service } from "../../domain/operation/service/service.ts";

const registry = new prometheus.Registry();
prometheus.collectDefaultMetrics({ register: registry });
const seconds = new prometheus.Histogram({
  name: "leadgate_request_seconds",
  help: "Time to answer a request",
  labelNames: ["listener", "method", "route", "status"],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers: [registry],
});

/** Adds the routes for an operator's machines: liveness, readiness, metrics. */
export function addOperatorRoutes(
  app: FastifyInstance,
  service: Service,
  config: Config,
  name: string,
): void {
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    seconds.observe(
      { listener: name, method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1_000,
    );
    done();
  });
  app.get("/livez", async () => ({ status: "ok" }));
  const servesWeb = config.role === "all" || config.role === "web";
  app.get("/readyz", async (request, reply) => {
    const isVerbose = Object.hasOwn(request.query as object, "verbose");
    const checks = (database: object) =>
      isVerbose ? { checks: { database, ...(servesWeb ? documentsCheck(service) : {}) } } : {};
    try {
      await service.db.query("SELECT");
      return { status: "ok", ...checks({ status: "ok" }) };
    } catch (error) {
      service.log.warn({ err: error }, "not ready");
      return reply
        .code(503)
        .header("Retry-After", "2")
        .send({
          status: "unavailable",
          reason: "the database does not answer",
          ...checks({ status: "unavailable" }),
        });
    }
  });
  app.get("/metrics", async (request, reply) => {
    if (!maySeeMetrics(request, config)) return reply.code(403).send({ status: "forbidden" });
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Whether the discovery document offers client documents; an instance without them is ready all the same. */
function documentsCheck({ offer }: Service): object {
  const { advertised, reason, probedAt } = offer.state;
  const probed_at = probedAt === undefined ? null : isoMoment(probedAt);
  return { client_documents: { status: "ok", advertised, reason, probed_at } };
}

/**
 * Whether metrics may be shown: to this machine itself (not through a proxy), or with the operator's token.
 */
function maySeeMetrics(request: FastifyRequest, config: Config): boolean {
  const given = request.headers.authorization ?? "";
  if (config.metricsToken !== undefined && sameText(given, `Bearer ${config.metricsToken}`)) return true;
  const address = request.socket.remoteAddress ?? "";
  const isLoopback = isIP(address) !== 0 && /^(127\.|::1$|::ffff:127\.)/.test(address);
  return (
    isLoopback && request.headers["x-forwarded-for"] === undefined && request.headers.forwarded === undefined
  );
}
