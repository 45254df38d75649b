import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Config } from "../config/config.ts";
import { newId } from "../core/id.ts";
import { Refusal } from "../core/refusal.ts";
import type { Service } from "../domain/operation/service/service.ts";
import { Admission } from "../http/admission/admission.ts";
import { admitRequests } from "../http/admission/admit.ts";
import { showAdmission } from "../http/admission/gauges.ts";
import { serverWithLivez } from "../http/admission/livez.ts";
import "../http/observe/log-metrics.ts";
import { watchLoop } from "../http/observe/loop-watch.ts";
import { registry } from "../http/observe/registry.ts";
import { readForwardedFor } from "../http/request/forwarded-for.ts";
import { beginAccount } from "../http/request/request-account.ts";
import { beginTrace } from "../http/request/request-trace.ts";
import { sendCompressed } from "../http/response/compress.ts";
import { refusalOf } from "../http/response/failure.ts";
import { isNotModified } from "../http/response/not-modified.ts";
import { addDraining, isDraining } from "../http/route/draining.ts";
import { lateBodies } from "../http/route/late-bodies.ts";
import { addOperatorRoutes } from "../http/route/operator.ts";
import { addReference } from "../http/route/reference.ts";
import { mount, type Surface, send } from "../http/route/serve.ts";
import { answerUnreadable } from "../http/route/unreadable.ts";
import { addressFinder, wrongMethod } from "../http/route/wrong-method.ts";
import { alwaysOf, type Host, hostOf, surfaceAt } from "./hosts.ts";

export { Admission, watchLoop };

/** The web host (`AUTH_URL`). */
export const webApp = (
  service: Service,
  config: Config,
  admission = new Admission(config.admission),
): Promise<FastifyInstance> => listener(service, config, admission, hostOf("web", config));

/** The API host (`BASE_URL`). */
export const apiApp = (
  service: Service,
  config: Config,
  admission = new Admission(config.admission),
): Promise<FastifyInstance> => listener(service, config, admission, hostOf("api", config));

/** What a worker serves. */
export const workerApp = (
  service: Service,
  config: Config,
  admission = new Admission(config.admission),
): Promise<FastifyInstance> => listener(service, config, admission, hostOf("worker", config));

async function listener(
  service: Service,
  config: Config,
  admission: Admission,
  host: Host,
): Promise<FastifyInstance> {
  const always = alwaysOf(host);
  // Other requests are limited to fifteen seconds (see lateBodies); uploads may take as long as they make progress.
  const times = {
    requestTimeout: 3_600_000,
    connectionTimeout: config.silenceMs,
    keepAliveTimeout: 65_000,
  };
  const app: FastifyInstance = Fastify({
    loggerInstance: service.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId("req"),
    trustProxy: config.trustedProxies.length === 0 ? false : config.trustedProxies,
    // called first for every request, on every binding; the URL is not rewritten
    rewriteUrl: (request) => {
      readForwardedFor(request);
      return request.url ?? "";
    },
    bodyLimit: 256 * 1_024,
    ...times,
    serverFactory: serverWithLivez(always, times, () => isDraining(app)),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...always, "X-Request-Id": request.id });
      const surface = surfaceAt(host, request.raw.url ?? "");
      return send(reply, surface, request, surface.dialect(refusalOf(error), request));
    },
    clientErrorHandler: answerUnreadable(always),
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  // What is noted of requests: declared here, so that all of them have the same shape.
  for (const name of ["hits", "warnings", "changes", "projectId", "trace", "traceId", "account"])
    app.decorateRequest(name, null);
  for (const name of ["wasSlow", "handled"]) app.decorateRequest(name, false);
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers({ ...always, "X-Request-Id": request.id });
    if (service.tracer !== undefined) beginTrace(service.tracer, request, reply);
    if (service.logs !== undefined) beginAccount(service.logs, host.name, request, reply);
    done();
  });
  addDraining(app);
  lateBodies(app, always);
  const surfaceOf = (request: FastifyRequest) =>
    (request.routeOptions.config as { surface?: Surface }).surface ?? surfaceAt(host, request.url);
  const admit = admitRequests(app, { service, admission, surfaceOf });
  // No proxy leads to a worker, whatever the URL of its instance.
  addOperatorRoutes(app, service, config, {
    name: host.name,
    url: host.surfaces.length > 0 ? host.url : undefined,
  });
  showAdmission(registry, admission);
  if (host.document !== undefined) describe(app, host.document, host.url, config.panelDir);
  for (const surface of host.surfaces) mount(app, surface, service, admit);
  // errors outside of routes, such as the framework's own refusals
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request.routeOptions.bodyLimit);
    request.account?.refuse(refusal.code);
    if (refusal.kind === "unavailable") request.log.error({ err: error }, "request failed");
    return send(reply, host.fallback, request, host.fallback.dialect(refusal, request));
  });
  const addressAt = addressFinder(host.surfaces);
  app.setNotFoundHandler((request, reply) => {
    const at = addressAt(request.url.split("?", 1)[0] ?? "");
    request.account?.refuse(at === undefined ? "not_found" : "wrong_method");
    if (at !== undefined) return send(reply, at.surface, request, wrongMethod(at, request));
    const surface = surfaceAt(host, request.url);
    return send(reply, surface, request, surface.dialect(unknownAddress(), request));
  });
  return app;
}

/** Serves the OpenAPI document of a host, written with its first request, and a page that shows it. */
function describe(
  app: FastifyInstance,
  document: (url: string) => object,
  url: string,
  panelDir: string,
): void {
  let written: string | undefined;
  app.get("/openapi.json", async (request, reply) => {
    written ??= JSON.stringify(document(url));
    if (isNotModified(reply, request, written)) return reply.send();
    return sendCompressed(reply.type("application/json; charset=utf-8"), request, written);
  });
  addReference(app, panelDir);
}

const unknownAddress = (): Refusal => new Refusal("not_found", "not_found", "There is nothing at this URL.");
