import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../core/refusal.ts";
import type { Service } from "../../../domain/operation/service/service.ts";

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/;

/** In MCP_ORIGINS: every page may call. */
const ANY = "*";

const SHARED = {
  "Access-Control-Expose-Headers": "WWW-Authenticate, Retry-After, Mcp-Session-Id, X-Request-Id",
  Vary: "Origin",
};

const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, POST, DELETE, OPTIONS",
  "Access-Control-Allow-Headers":
    "authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id",
  "Access-Control-Max-Age": "86400",
};

/**
 * Returns the CORS headers for the calling page, none if no page calls. 403 for a foreign origin: a page that
 * rebinds its name to this machine still sends its own Origin (MCP 2026-07-28, Streamable HTTP, security). The
 * operator names the pages that may call, or all of them: no cookie is read here, only the token that a page holds.
 */
export function corsHeaders(service: Service, request: FastifyRequest): Record<string, string> {
  const { origin } = request.headers;
  if (origin === undefined) return { Vary: "Origin" };
  const { authUrl, mcpOrigins } = service.config;
  const named = mcpOrigins.includes(origin) || mcpOrigins.includes(ANY);
  if (!named && !LOOPBACK.test(origin) && origin !== new URL(authUrl).origin) {
    throw new Refusal(
      "forbidden",
      "foreign_origin",
      "Pages of this origin are not allowed to call this server. The operator can add it to MCP_ORIGINS.",
    );
  }
  const preflight = request.method === "OPTIONS" ? PREFLIGHT : {};
  return { "Access-Control-Allow-Origin": origin, ...SHARED, ...preflight };
}
