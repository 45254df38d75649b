import type { Config } from "../config/config.ts";
import { apiDocument, webDocument } from "../http/openapi/hosts.ts";
import type { Surface } from "../http/route/serve.ts";
import type { HostHeaders } from "../http/route/unreadable.ts";
import { api } from "../surfaces/api/current/surface.ts";
import { v1 } from "../surfaces/api/v1/surface.ts";
import { LEADS } from "../surfaces/mcp/registry-of-leads.ts";
import { mcpSurface } from "../surfaces/mcp/surface.ts";
import { authorization, oauth } from "../surfaces/oauth/surface.ts";
import { pages } from "../surfaces/pages/surface.ts";
import { panelApi, panelPages } from "../surfaces/panel/surface.ts";

type HostName = "web" | "api" | "worker";

/** What a listener serves. */
export interface Host {
  name: HostName;
  url: string;
  /** Returns the OpenAPI document of the host. */
  document?: (url: string) => object;
  surfaces: readonly Surface[];
  /** Whose dialect is spoken at URLs below no surface. */
  fallback: Surface;
}

/** The panel calls the routes of the API, in the dialect of the versioned API. */
const panel = [panelPages(pages.dialect), panelApi([...v1.routes, ...api.routes], v1.dialect)];

/**
 * Returns what a listener serves: on the web host OAuth, pages, MCP and the panel; on the API host leads under API keys; a worker
 * serves no clients, but says whether it is alive and ready, and has metrics.
 */
export function hostOf(name: HostName, { authUrl, baseUrl }: Config): Host {
  if (name === "web") {
    const surfaces = [oauth, authorization, mcpSurface(LEADS), ...panel, pages];
    return { name, url: authUrl, document: webDocument, surfaces, fallback: pages };
  }
  if (name === "api")
    return { name, url: baseUrl, document: apiDocument, surfaces: [v1, api], fallback: api };
  return { name, url: baseUrl, surfaces: [], fallback: api };
}

/** The surface of a URL, even if the URL has no route. */
export const surfaceAt = ({ surfaces, fallback }: Host, url: string): Surface =>
  surfaces.find(({ under }) => under !== undefined && url.startsWith(under)) ?? fallback;

/** Browsers remember to use https for this host, but not for its subdomains, which may serve something else. */
const HTTPS_ONLY: HostHeaders = { "Strict-Transport-Security": "max-age=31536000" };

/** Returns the headers of every answer of a host. */
export const alwaysOf = ({ url }: Host): HostHeaders => (url.startsWith("https:") ? HTTPS_ONLY : {});
