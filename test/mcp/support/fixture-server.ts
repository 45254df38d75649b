import Fastify from "fastify";
import { newId } from "../../../src/core/id.ts";
import type { Service } from "../../../src/domain/operation/service/service.ts";
import { mount } from "../../../src/http/route/serve.ts";
import type { Registry } from "../../../src/surfaces/mcp/protocol/registry.ts";
import { mcpSurface } from "../../../src/surfaces/mcp/surface.ts";
import { freePort } from "../../world.ts";
import { fixtureRegistry } from "./fixture-registry.ts";

/** A listener that serves another registry with the service's dispatcher. */
export interface FixtureServer extends AsyncDisposable {
  url: string;
}

/** Serves the fixtures, or another registry, to the tokens of a world. */
export async function fixtureServer(
  { service }: { service: Service },
  change: (registry: Registry) => Registry = (registry) => registry,
): Promise<FixtureServer> {
  const surface = mcpSurface(change(fixtureRegistry((what) => surface.streams.changed(what))));
  const app = Fastify({ genReqId: () => newId("req"), bodyLimit: 262_144 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  mount(app, surface, service);
  const port = await freePort();
  await app.listen({ host: "127.0.0.1", port });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      app.server.closeIdleConnections();
      await app.close();
    },
  };
}
