import type { FastifyInstance } from "fastify";
import type { Config } from "../../config/config.ts";
import { isoMoment } from "../../core/moment.ts";
import type { WriteFault } from "../../core/write-fault.ts";
import type { ReadyState } from "../../domain/operation/service/readiness.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { registry } from "../observe/registry.ts";
import { addTraceMetrics } from "../observe/trace-metrics.ts";
import { addBackupMetrics } from "./backup-metrics.ts";
import { seenByDoctor } from "./doctor.ts";
import { addMetrics, type Listed } from "./metrics.ts";
import { addPostgresMetrics } from "./postgres-metrics.ts";

/** Answered by an overloaded process too. */
const ALWAYS = { config: { always: true } };

/** Adds the routes for an operator's machines: liveness, readiness, metrics. */
export function addOperatorRoutes(
  app: FastifyInstance,
  service: Service,
  config: Config,
  listed: Listed,
): void {
  // Requests without a body are answered earlier (see http/admission/livez.ts).
  app.get("/livez", ALWAYS, async () => ({ status: "ok" }));
  const servesWeb = config.role === "all" || config.role === "web";
  app.get("/readyz", ALWAYS, async (request, reply) => {
    const state = await service.readiness.check();
    const reason = reasonOf(state);
    const isVerbose = Object.hasOwn(request.query as object, "verbose");
    const documents = servesWeb ? documentsCheck(service) : {};
    const checks = isVerbose ? { checks: { ...databaseChecks(state), ...documents } } : {};
    const seen = await seenByDoctor(request, listed.name, service.config.secretKeys);
    if (reason === undefined) return { status: "ok", ...checks, ...seen };
    return reply
      .code(503)
      .header("Retry-After", "2")
      .send({ status: "unavailable", reason, ...checks, ...seen });
  });
  addMetrics(app, service, config, listed);
  if (config.backups !== undefined) addBackupMetrics(registry, service.backups);
  if (service.postgres !== undefined) addPostgresMetrics(registry, service.postgres);
  if (service.tracer !== undefined) addTraceMetrics(registry, service.tracer);
}

const WORDS: Readonly<Record<WriteFault, string>> = {
  storage_full: "the database's disk is full",
  read_only: "the database is read-only",
};

/** Why this instance is not ready; undefined if it is. */
function reasonOf({ answers, fault }: ReadyState): string | undefined {
  if (!answers) return "the database does not answer";
  return fault === undefined ? undefined : WORDS[fault];
}

/** What was checked about the database; writes are unknown while it does not answer. */
function databaseChecks({ answers, fault }: ReadyState): object {
  if (!answers) return { database: { status: "unavailable" }, writes: { status: "unknown" } };
  const writes = fault === undefined ? { status: "ok" } : { status: "unavailable", reason: fault };
  return { database: { status: "ok" }, writes };
}

/** Whether the discovery document offers client documents; an instance without them is ready all the same. */
function documentsCheck({ offer }: Service): object {
  const { advertised, reason, probedAt } = offer.state;
  const probed_at = probedAt === undefined ? null : isoMoment(probedAt);
  return { client_documents: { status: "ok", advertised, reason, probed_at } };
}
