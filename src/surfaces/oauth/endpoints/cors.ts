import type { Method, Route } from "../../../http/route/route.ts";

/** What every answer of the OAuth endpoints carries: any page may call them, without cookies. */
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

/** The answer to a browser that asks whether it may call this address. */
export function preflight(url: string, method: Method): Route {
  const headers = { ...PREFLIGHT, "Access-Control-Allow-Methods": method };
  return { method: "OPTIONS", url, handle: async () => ({ status: 204, headers }) };
}

/** An address that takes POST only, with its preflight. */
export const postOnly = (route: Omit<Route, "method">): Route[] => [
  { ...route, method: "POST" },
  preflight(route.url, "POST"),
];
