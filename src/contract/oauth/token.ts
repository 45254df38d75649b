import { type Static, Type } from "typebox";
import { APPLICATION, HOST, url } from "./basics.ts";

const spaced = Type.String({ description: "Scopes, separated by spaces." });

const resource = Type.Optional(
  Type.Union([Type.String(), Type.Array(Type.String())], {
    description:
      "The URL of the MCP server or of this host; another one is invalid_target. It may repeat (RFC 8707, section 2).",
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
    scope: Type.String({
      description:
        "Those of its scopes that the person's role in the project allows now, separated by spaces.",
    }),
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
  {
    $id: "EndedToken",
    description:
      "A token that is unknown, expired, revoked or superseded, or whose person's role no longer allows any of its scopes.",
  },
);

/** What a token is and allows. */
export const Introspection = Type.Union([LivingToken, EndedToken], {
  $id: "Introspection",
  description: "RFC 7662, section 2.2.",
  examples: [{ active: false }],
});
export type Introspection = Static<typeof Introspection>;
