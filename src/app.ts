import swagger from "@fastify/swagger";
import scalar from "@scalar/fastify-api-reference";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Config } from "./config.ts";
import { newId } from "./core/id.ts";
import { Refusal } from "./core/refusal.ts";
import type { Service } from "./domain/service.ts";
import { addOperatorRoutes } from "./http/operator.ts";
import { mount, type Surface, send } from "./http/serve.ts";
import { api } from "./surfaces/api/surface.ts";
import { mcp } from "./surfaces/mcp/surface.ts";
import { authorization, oauth } from "./surfaces/oauth/surface.ts";
import { pages } from "./surfaces/pages/surface.ts";

/** The web host (`AUTH_URL`): OAuth, pages, MCP. */
export async function webApp(service: Service, config: Config): Promise<FastifyInstance> {
  return await listener(service, config, {
    name: "web",
    url: config.authUrl,
    title: "Leadgate: authorization and MCP",
    surfaces: [oauth, authorization, mcp, pages],
    fallback: pages,
  });
}

/** The API host (`BASE_URL`): leads under API keys. */
export async function apiApp(service: Service, config: Config): Promise<FastifyInstance> {
  return await listener(service, config, {
    name: "api",
    url: config.baseUrl,
    title: "Leadgate API",
    surfaces: [api],
    fallback: api,
  });
}

interface Listener {
  name: string;
  url: string;
  title: string;
  surfaces: readonly Surface[];
  fallback: Surface;
}

async function listener(service: Service, config: Config, host: Listener): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: service.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId("req"),
    trustProxy: config.trustedProxies.length === 0 ? false : config.trustedProxies,
    bodyLimit: 256 * 1_024,
    requestTimeout: 15_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addHook("onRequest", async (request, reply) => {
    reply.header("X-Request-Id", request.id);
  });
  app.addHook("onResponse", async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      "answered",
    );
  });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: host.title, version: "1" },
      servers: [{ url: host.url }],
      components: {
        securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      },
    },
  });
  addOperatorRoutes(app, service, config, host.name);
  app.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());
  await app.register(scalar, { routePrefix: "/reference", configuration: { url: "/openapi.json" } });
  for (const surface of host.surfaces) mount(app, surface, service);
  app.setNotFoundHandler((request, reply) => {
    return send(reply, host.fallback, request, host.fallback.dialect(unknownAddress(), request));
  });
  return app;
}

const unknownAddress = (): Refusal =>
  new Refusal("not_found", "not_found", "There is nothing at this address.");
