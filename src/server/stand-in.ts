import Fastify, { type FastifyInstance } from "fastify";
import type { Config } from "../config/config.ts";
import { newId } from "../core/id.ts";
import { Refusal } from "../core/refusal.ts";
import { serverWithLivez } from "../http/admission/livez.ts";
import { retryHeader } from "../http/response/status.ts";
import { send } from "../http/route/serve.ts";
import { answerUnreadable } from "../http/route/unreadable.ts";
import { addressFinder } from "../http/route/wrong-method.ts";
import { alwaysOf, type Host, hostOf, surfaceAt } from "./hosts.ts";

/** Answers on the ports of an instance while its database is migrated. */
export interface StandIn {
  /** Begins to listen; a port that is in use is left alone, because the real listener reports it. */
  open(): Promise<void>;
  /** Frees the ports; they are not opened again. */
  close(): Promise<void>;
}

/** Nothing was done: clients repeat even writes. */
const MIGRATING = new Refusal(
  "unavailable",
  "migrating",
  "The service is being upgraded. Try again in a few seconds.",
  { retryAfter: 5 },
);
/** Nobody needs a connection for longer than one answer, in milliseconds. */
const TIMES = { requestTimeout: 5_000, connectionTimeout: 5_000, keepAliveTimeout: 1_000 };

/** Returns the stand-in for the listeners of a role. */
export function standIn(config: Config): StandIn {
  const { role, host, authPort, apiPort } = config;
  const hosts = role === "all" ? (["web", "api"] as const) : ([role] as const);
  let apps: FastifyInstance[] | undefined;
  let isClosed = false;
  return {
    async open() {
      if (apps !== undefined || isClosed) return;
      apps = hosts.map((name) => refusing(hostOf(name, config)));
      await Promise.all(
        apps.map((app, n) =>
          app.listen({ host, port: hosts[n] === "web" ? authPort : apiPort }).catch(() => undefined),
        ),
      );
    },
    async close() {
      isClosed = true;
      await Promise.all(apps?.splice(0).map((app) => app.close()) ?? []);
    },
  };
}

/** Refuses every request in the dialect of its URL, but says that it is alive. */
function refusing(host: Host): FastifyInstance {
  const always = alwaysOf(host);
  const app: FastifyInstance = Fastify({
    genReqId: () => newId("req"),
    serverFactory: serverWithLivez(always, TIMES, () => true),
    forceCloseConnections: true,
    clientErrorHandler: answerUnreadable(always),
    http: { headersTimeout: TIMES.requestTimeout, maxHeaderSize: 16_384 },
  });
  const addressAt = addressFinder(host.surfaces);
  // Before a body is read.
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...always, "X-Request-Id": request.id, Connection: "close" });
    const path = request.url.split("?", 1)[0] ?? "";
    if (path === "/readyz")
      return reply.code(503).headers(retryHeader(MIGRATING)).send({ status: "migrating" });
    const surface = addressAt(path)?.surface ?? surfaceAt(host, path);
    return send(reply, surface, request, surface.dialect(MIGRATING, request));
  });
  return app;
}
