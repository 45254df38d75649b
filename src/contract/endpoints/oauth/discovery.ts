import { AuthorizationServer, ProtectedResource } from "../../nouns/oauth/discovery.ts";
import { endpoint, json } from "../shared/endpoint.ts";

const discovery = { tag: "discovery", refusals: "oauth", method: "GET" } as const;

const server = {
  ...discovery,
  summary: "The authorization server's metadata (RFC 8414)",
  description:
    "Returns the URLs and the abilities of the authorization server. Both URLs return the same document.",
  answers: { 200: json(AuthorizationServer, "The metadata.") },
} as const;

export const authorizationServerUnderApi = endpoint({
  ...server,
  id: "discovery.authorizationServerUnderApi",
  url: "/api/well-known/oauth-authorization-server",
});

export const authorizationServer = endpoint({
  ...server,
  id: "discovery.authorizationServer",
  url: "/.well-known/oauth-authorization-server",
});

const resource = {
  ...discovery,
  summary: "The protected resource's metadata (RFC 9728)",
  description:
    "Returns the authorization server and the scopes of the MCP server at /mcp. Both URLs return the same document.",
  answers: { 200: json(ProtectedResource, "The metadata.") },
} as const;

export const protectedResource = endpoint({
  ...resource,
  id: "discovery.protectedResource",
  url: "/.well-known/oauth-protected-resource",
});

export const protectedResourceOfMcp = endpoint({
  ...resource,
  id: "discovery.protectedResourceOfMcp",
  url: "/.well-known/oauth-protected-resource/mcp",
});
