import type { Endpoint } from "../../../contract/basics/endpoint.ts";
import type { Method, Route } from "../../../http/route/route.ts";

/** Headers of every OAuth response: any page may call the endpoints, without cookies. */
export const OPEN_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "WWW-Authenticate, Retry-After, X-Request-Id",
  "X-Content-Type-Options": "nosniff",
};

const PREFLIGHT = {
  "Access-Control-Allow-Headers":
    "authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id",
  "Access-Control-Max-Age": "86400",
};

/** Returns a route that answers a browser's CORS preflight. */
export function preflight(url: string, method: Method): Route {
  const headers = { ...PREFLIGHT, "Access-Control-Allow-Methods": method };
  return { method: "OPTIONS", url, handle: async () => ({ status: 204, headers }) };
}

/** Returns the route of an endpoint that is called by POST, and its preflight. */
export const postOnly = (route: Omit<Route, "method" | "url"> & { endpoint: Endpoint }): Route[] => [
  { ...route, method: "POST", url: route.endpoint.url },
  preflight(route.endpoint.url, "POST"),
];
