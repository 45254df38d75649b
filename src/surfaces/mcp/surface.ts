import type { Route } from "../../http/route.ts";
import type { Surface } from "../../http/serve.ts";
import { httpRefusal } from "./dialect.ts";
import { authenticated, fromKnownOrigins } from "./door.ts";
import { answerGet, NOT_ALLOWED } from "./get.ts";
import { answerPost } from "./post.ts";

const MEGABYTE = 1_024 * 1_024;

const routesAt = (url: string): Route[] => [
  { method: "POST", url, bodyLimit: MEGABYTE, handle: authenticated(answerPost) },
  { method: "GET", url, handle: authenticated(answerGet) },
  { method: "DELETE", url, handle: fromKnownOrigins(async () => NOT_ALLOWED) },
  { method: "OPTIONS", url, handle: fromKnownOrigins(async () => ({ status: 204 })) },
];

/** The MCP server: Streamable HTTP, revisions 2026-07-28 to 2025-03-26, behind an access token. */
export const mcp: Surface = {
  routes: [...routesAt("/mcp"), ...routesAt("/mcp/")],
  dialect: httpRefusal,
};
