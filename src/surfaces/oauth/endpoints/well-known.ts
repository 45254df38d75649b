import type { Endpoint } from "../../../contract/basics/endpoint.ts";
import type { AuthorizationServer, ProtectedResource } from "../../../contract/oauth/discovery.ts";
import * as endpoints from "../../../contract/oauth/discovery.ts";
import { SCOPES } from "../../../core/permission.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import type { Route } from "../../../http/route/route.ts";
import { preflight } from "./cors.ts";

/** The authorization server's metadata (RFC 8414 2, RFC 9207 3, RFC 9728 4). */
const serverMetadata = ({ config: { authUrl }, offer }: Service): AuthorizationServer => ({
  issuer: authUrl,
  authorization_endpoint: `${authUrl}/oauth/authorize`,
  token_endpoint: `${authUrl}/api/oauth/token`,
  registration_endpoint: `${authUrl}/api/oauth/register`,
  introspection_endpoint: `${authUrl}/api/oauth/introspect`,
  revocation_endpoint: `${authUrl}/api/oauth/revoke`,
  scopes_supported: [...SCOPES],
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  introspection_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  ...(offer.state.advertised ? { client_id_metadata_document_supported: true } : {}),
  protected_resources: [`${authUrl}/mcp`],
  service_documentation: `${authUrl}/reference`,
});

/** The protected resource's metadata (RFC 9728 2): which server and scopes clients should use. */
const resourceMetadata = ({ config: { authUrl } }: Service): ProtectedResource => ({
  resource: `${authUrl}/mcp`,
  authorization_servers: [authUrl],
  scopes_supported: [...SCOPES],
  bearer_methods_supported: ["header"],
  resource_name: "Leadgate",
});

const HEADERS = { "Cache-Control": "public, max-age=300" };

/** Returns routes for a document that is serialized once for each state that it depends on. */
function document(
  make: (service: Service) => object,
  stateOf: (service: Service) => object,
  served: readonly Endpoint[],
): Route[] {
  const made = new WeakMap<object, string>();
  const bytesFor = (service: Service): string => {
    const state = stateOf(service);
    const bytes = made.get(state) ?? JSON.stringify(make(service));
    made.set(state, bytes);
    return bytes;
  };
  return served.flatMap((endpoint): Route[] => [
    {
      method: "GET",
      url: endpoint.url,
      endpoint,
      handle: async (service) => ({
        status: 200,
        body: bytesFor(service),
        type: "application/json",
        headers: HEADERS,
      }),
    },
    preflight(endpoint.url, "GET"),
  ]);
}

const noIdTokens: Route = {
  method: "GET",
  url: "/.well-known/openid-configuration",
  handle: async () => ({
    status: 404,
    body: { error: "not_found", error_description: "This is an OAuth 2.1 server without OpenID Connect." },
  }),
};

export const discovery: readonly Route[] = [
  ...document(serverMetadata, ({ offer }) => offer.state, [
    endpoints.authorizationServerUnderApi,
    endpoints.authorizationServer,
  ]),
  ...document(resourceMetadata, ({ config }) => config, [
    endpoints.protectedResource,
    endpoints.protectedResourceOfMcp,
  ]),
  noIdTokens,
];
