import { type Static, Type } from "typebox";
import { SCOPES } from "../../core/permission.ts";

const url = Type.String({ format: "uri" });
const none = Type.Array(Type.Literal("none"));
const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;
const grantTypes = Type.Array(Type.Enum(GRANT_TYPES));
const scopes = Type.Array(Type.Enum(SCOPES));
const HOST = "https://app.leadgate.example";
const APPLICATION = "app_01kagx3m5w8q2r7t9v4c6d1f0h";
const spaced = Type.String({ description: "Scopes, separated by spaces." });

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
          "A client_id may be the URL of a metadata document; left out if the server does not allow it.",
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

const redirectUris = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: 10,
  description: "https, a loopback address with http, or a scheme of the application's own.",
});

/** What an application sends to be registered. */
export const ClientRegistration = Type.Object(
  {
    redirect_uris: redirectUris,
    client_name: Type.Optional(
      Type.String({ maxLength: 256, description: "Defaults to the host of the first redirect URI." }),
    ),
    client_uri: Type.Optional(Type.String({ format: "uri", maxLength: 2_048 })),
    logo_uri: Type.Optional(Type.String({ format: "uri", maxLength: 2_048 })),
    grant_types: Type.Optional(
      Type.Array(Type.String(), {
        description: "Must include authorization_code; those that are not supported are left out.",
      }),
    ),
    response_types: Type.Optional(
      Type.Array(Type.String(), {
        description: "Must include code; those that are not supported are left out.",
      }),
    ),
  },
  {
    $id: "ClientRegistration",
    examples: [{ client_name: "My assistant", redirect_uris: ["https://assistant.example/callback"] }],
    description: "RFC 7591, section 2. Other members are ignored.",
    additionalProperties: true,
  },
);
export type ClientRegistration = Static<typeof ClientRegistration>;

const metadata = {
  client_name: Type.String(),
  client_uri: Type.Optional(Type.String()),
  logo_uri: Type.Optional(Type.String()),
  redirect_uris: redirectUris,
  grant_types: grantTypes,
  response_types: Type.Array(Type.Literal("code")),
  token_endpoint_auth_method: Type.Literal("none"),
};

/** What an application registered about itself, as responses show it; never verified. */
export const ClientMetadata = Type.Object(metadata);
export type ClientMetadata = Static<typeof ClientMetadata>;

/** A registered application. */
export const RegisteredClient = Type.Object(
  {
    client_id: Type.String(),
    client_id_issued_at: Type.Integer({ description: "In seconds since 1970." }),
    ...metadata,
  },
  {
    $id: "RegisteredClient",
    description: "RFC 7591, section 3.2.1.",
    examples: [
      {
        client_id: APPLICATION,
        client_id_issued_at: 1_774_967_400,
        client_name: "My assistant",
        redirect_uris: ["https://assistant.example/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
    ],
  },
);
export type RegisteredClient = Static<typeof RegisteredClient>;

const resource = Type.Optional(
  Type.String({
    description: "The URL of the MCP server or of this host (RFC 8707); another one is invalid_target.",
  }),
);

/** The form that exchanges a code or refreshes a token. */
export const TokenRequest = Type.Union(
  [
    Type.Object(
      {
        grant_type: Type.Literal("authorization_code"),
        code: Type.String(),
        client_id: Type.String(),
        redirect_uri: Type.String({ description: "The one of the authorization request." }),
        code_verifier: Type.String({ description: "RFC 7636, section 4.5." }),
        resource,
      },
      {
        $id: "CodeExchange",
        description: "Exchanges an authorization code, once.",
        examples: [
          {
            grant_type: "authorization_code",
            code: "lgc_…",
            client_id: APPLICATION,
            redirect_uri: "https://assistant.example/callback",
            code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
          },
        ],
      },
    ),
    Type.Object(
      {
        grant_type: Type.Literal("refresh_token"),
        refresh_token: Type.String(),
        client_id: Type.String(),
        scope: Type.Optional(
          Type.String({ description: "Narrows the access token to these scopes, separated by spaces." }),
        ),
        resource,
      },
      {
        $id: "TokenRefresh",
        description: "Returns new tokens; the old refresh token is used up.",
        examples: [{ grant_type: "refresh_token", refresh_token: "lgr_…", client_id: APPLICATION }],
      },
    ),
  ],
  { $id: "TokenRequest", description: "RFC 6749, sections 4.1.3 and 6." },
);
export type TokenRequest = Static<typeof TokenRequest>;

export const Tokens = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal("Bearer"),
    expires_in: Type.Integer({ description: "Seconds until the access token expires." }),
    refresh_token: Type.String(),
    scope: spaced,
  },
  {
    $id: "Tokens",
    description: "RFC 6749, section 5.1.",
    examples: [
      {
        access_token: "lga_…",
        token_type: "Bearer",
        expires_in: 3_600,
        refresh_token: "lgr_…",
        scope: "mcp:read mcp:write",
      },
    ],
  },
);
export type Tokens = Static<typeof Tokens>;

/** The form that revokes a token or asks about one. */
export const TokenForm = Type.Object(
  {
    token: Type.String({ description: "An access token or a refresh token." }),
    client_id: Type.Optional(
      Type.String({ description: "With it, only a token of this application counts." }),
    ),
    token_type_hint: Type.Optional(Type.String({ description: "Not needed: tokens show their kind." })),
  },
  { $id: "TokenForm", examples: [{ token: "lga_…" }] },
);
export type TokenForm = Static<typeof TokenForm>;

const LivingToken = Type.Object(
  {
    active: Type.Literal(true),
    scope: spaced,
    client_id: Type.String(),
    token_type: Type.Enum(["Bearer", "refresh_token"]),
    exp: Type.Integer({ description: "When it expires, in seconds since 1970." }),
    iat: Type.Integer({ description: "When it was issued, in seconds since 1970." }),
    sub: Type.String({ description: "The person's id." }),
    aud: url,
    iss: url,
    project_id: Type.String({ description: "The project that the token reaches." }),
  },
  {
    $id: "LivingToken",
    description: "A valid token.",
    examples: [
      {
        active: true,
        scope: "mcp:read",
        client_id: APPLICATION,
        token_type: "Bearer",
        exp: 1_774_971_000,
        iat: 1_774_967_400,
        sub: "per_01kagx3m5w8q2r7t9v4c6d1f0h",
        aud: `${HOST}/mcp`,
        iss: HOST,
        project_id: "prj_01kagx3m5w8q2r7t9v4c6d1f0h",
      },
    ],
  },
);

const EndedToken = Type.Object(
  { active: Type.Literal(false) },
  { $id: "EndedToken", description: "A token that is unknown, expired, revoked or superseded." },
);

/** What a token is and allows. */
export const Introspection = Type.Union([LivingToken, EndedToken], {
  $id: "Introspection",
  description: "RFC 7662, section 2.2.",
  examples: [{ active: false }],
});
export type Introspection = Static<typeof Introspection>;
