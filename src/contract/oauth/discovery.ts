import { type Static, Type } from "typebox";
import { SCOPES } from "../../core/permission.ts";
import { endpoint, json, type Tag } from "../basics/endpoint.ts";
import { GRANT_TYPES, grantTypes, HOST, url } from "./basics.ts";

const tag: Tag = {
  name: "discovery",
  description: "The metadata of the authorization server and of the MCP server.",
};

const none = Type.Array(Type.Literal("none"));
const scopes = Type.Array(Type.Enum(SCOPES));

/** The authorization server's metadata. */
export const AuthorizationServer = Type.Object(
  {
    issuer: url,
    authorization_endpoint: url,
    token_endpoint: url,
    registration_endpoint: url,
    introspection_endpoint: url,
    revocation_endpoint: url,
    scopes_supported: scopes,
    response_types_supported: Type.Array(Type.Literal("code")),
    response_modes_supported: Type.Array(Type.Literal("query")),
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: none,
    revocation_endpoint_auth_methods_supported: none,
    introspection_endpoint_auth_methods_supported: none,
    code_challenge_methods_supported: Type.Array(Type.Literal("S256")),
    authorization_response_iss_parameter_supported: Type.Literal(true),
    client_id_metadata_document_supported: Type.Optional(
      Type.Literal(true, {
        description:
          "A client_id may be the URL of a metadata document; left out where the server does not allow it, or does not " +
          "know that it can fetch one.",
      }),
    ),
    protected_resources: Type.Array(url),
    service_documentation: url,
  },
  {
    $id: "AuthorizationServer",
    description: "RFC 8414, section 2; RFC 9207, section 3; RFC 9728, section 4.",
    examples: [
      {
        issuer: HOST,
        authorization_endpoint: `${HOST}/oauth/authorize`,
        token_endpoint: `${HOST}/api/oauth/token`,
        registration_endpoint: `${HOST}/api/oauth/register`,
        introspection_endpoint: `${HOST}/api/oauth/introspect`,
        revocation_endpoint: `${HOST}/api/oauth/revoke`,
        scopes_supported: [...SCOPES],
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: [...GRANT_TYPES],
        token_endpoint_auth_methods_supported: ["none"],
        revocation_endpoint_auth_methods_supported: ["none"],
        introspection_endpoint_auth_methods_supported: ["none"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        protected_resources: [`${HOST}/mcp`],
        service_documentation: `${HOST}/reference`,
      },
    ],
  },
);
export type AuthorizationServer = Static<typeof AuthorizationServer>;

/** The metadata of the MCP server. */
export const ProtectedResource = Type.Object(
  {
    resource: url,
    authorization_servers: Type.Array(url),
    scopes_supported: scopes,
    bearer_methods_supported: Type.Array(Type.Literal("header")),
    resource_name: Type.String(),
  },
  {
    $id: "ProtectedResource",
    description: "RFC 9728, section 2.",
    examples: [
      {
        resource: `${HOST}/mcp`,
        authorization_servers: [HOST],
        scopes_supported: ["mcp:read", "mcp:write"],
        bearer_methods_supported: ["header"],
        resource_name: "Leadgate",
      },
    ],
  },
);
export type ProtectedResource = Static<typeof ProtectedResource>;

const discovery = { tag, refusals: "oauth", method: "GET" } as const;

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
