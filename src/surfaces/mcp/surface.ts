import type { Route } from "../../http/route/route.ts";
import type { Surface } from "../../http/route/serve.ts";
import { dispatcherOf } from "./calls/dispatch.ts";
import { Streams } from "./calls/listen.ts";
import { type Catalogue, catalogueOf } from "./protocol/catalogue.ts";
import type { Registry } from "./protocol/registry.ts";
import { httpRefusal } from "./transport/dialect.ts";
import { authenticated, fromKnownOrigins } from "./transport/door.ts";
import { answerGet, NOT_ALLOWED } from "./transport/get.ts";
import { answerPost } from "./transport/post.ts";

const MEGABYTE = 1_024 * 1_024;

/** Methods that are told what to use instead; there are no sessions to end. */
const NOT_TAKEN = ["DELETE", "PUT", "PATCH"] as const;

/** What one listener needs of a registry; the tests' own registry stands on the same dispatcher as the real one. */
export interface McpSurface extends Surface {
  streams: Streams;
}

/** An MCP server: Streamable HTTP, revisions 2026-07-28 to 2025-03-26, behind an access token. */
export function mcpSurface(registry: Registry): McpSurface {
  const streams = new Streams();
  const dispatcher = dispatcherOf(registry, streams);
  const catalogue = catalogueFor(registry);
  const routesAt = (url: string): Route[] => [
    {
      method: "POST",
      url,
      bodyLimit: MEGABYTE,
      handle: authenticated(catalogue, (exchange) => answerPost(exchange, dispatcher)),
    },
    { method: "GET", url, handle: authenticated(catalogue, answerGet) },
    ...NOT_TAKEN.map((method) => ({ method, url, handle: fromKnownOrigins(async () => NOT_ALLOWED) })),
    { method: "OPTIONS", url, handle: fromKnownOrigins(async () => ({ status: 204 })) },
  ];
  return {
    routes: [...routesAt("/mcp"), ...routesAt("/mcp/")],
    dialect: httpRefusal,
    close: () => streams.close(),
    streams,
  };
}

const catalogues = new WeakMap<Registry, Catalogue>();

/** Made once for a registry, however many listeners serve it. */
function catalogueFor(registry: Registry): Catalogue {
  const catalogue = catalogues.get(registry) ?? catalogueOf(registry);
  catalogues.set(registry, catalogue);
  return catalogue;
}
