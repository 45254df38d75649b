import type { Route } from "../../http/route/route.ts";
import type { Surface } from "../../http/route/serve.ts";
import { dispatcherOf } from "./calls/dispatch.ts";
import { Streams } from "./calls/listen.ts";
import { type Catalogue, catalogueOf } from "./protocol/catalogue.ts";
import type { Registry } from "./protocol/registry.ts";
import { httpRefusal } from "./transport/dialect.ts";
import { authenticated, fromKnownOrigins, refusalHeaders } from "./transport/door.ts";
import { answerGet, NOT_ALLOWED } from "./transport/get.ts";
import { answerPost } from "./transport/post.ts";

const MEGABYTE = 1_024 * 1_024;

/** Methods that get an explanation of what to use instead; there are no sessions to end. */
const NOT_TAKEN = ["DELETE", "PUT", "PATCH"] as const;

/** What a listener needs to serve a registry; the tests' own registry uses the same dispatcher. */
export interface McpSurface extends Surface {
  streams: Streams;
}

/** Returns an MCP server: Streamable HTTP, revisions 2026-07-28 to 2025-03-26, access token required. */
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
    refusalHeaders,
    refusesUnknown: true,
    compresses: true,
    close: () => streams.close(),
    streams,
  };
}

const catalogues = new WeakMap<Registry, Catalogue>();

/** Returns a registry's catalogue, made once however many listeners serve it. */
function catalogueFor(registry: Registry): Catalogue {
  const catalogue = catalogues.get(registry) ?? catalogueOf(registry);
  catalogues.set(registry, catalogue);
  return catalogue;
}
