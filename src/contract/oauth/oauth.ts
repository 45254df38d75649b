import { type TSchema, Type } from "typebox";
import { endpoint, json, type MediaBody, type Tag } from "../basics/endpoint.ts";
import { ClientRegistration, RegisteredClient } from "./client.ts";
import { Introspection, TokenForm, TokenRequest, Tokens } from "./token.ts";

const tag: Tag = { name: "oauth", description: "Registration, tokens, revocation and introspection." };

const calls = { tag, refusals: "oauth", method: "POST" } as const;

/** The headers of calls that count against a limit by address. */
const COUNTED = ["RateLimit", "RateLimit-Policy"] as const;

const form = (schema: TSchema, mayRepeat = ""): MediaBody => ({
  types: { "application/x-www-form-urlencoded": schema },
  description: `A form without repeated parameters${mayRepeat}; an empty parameter counts as left out.`,
});

export const registerApplication = endpoint({
  ...calls,
  id: "oauth.register",
  url: "/api/oauth/register",
  summary: "Register an application (RFC 7591)",
  description:
    "Registers a public client. Every call counts against an hourly limit by IP address, refused ones too.",
  body: ClientRegistration,
  examples: {
    assistant: { client_name: "My assistant", redirect_uris: ["https://assistant.example/callback"] },
  },
  answers: { 201: json(RegisteredClient, "The application, with its client_id.", COUNTED) },
});

export const issueTokens = endpoint({
  ...calls,
  id: "oauth.token",
  url: "/api/oauth/token",
  summary: "Exchange a code, or refresh a token (OAuth 2.1 3.2)",
  description:
    "Returns an access token and a refresh token. A code works once. A refresh uses up its refresh token; presenting that " +
    "one again ends the authorization. 503 if the instance lacks the key that signed the refresh token: nothing has changed, so " +
    "repeat the call.",
  body: form(TokenRequest, " other than resource"),
  answers: { 200: json(Tokens, "The tokens.", COUNTED) },
  refused: [401],
});

export const revokeToken = endpoint({
  ...calls,
  id: "oauth.revoke",
  url: "/api/oauth/revoke",
  summary: "Revoke a token (RFC 7009)",
  description:
    "Ends a token at once: a refresh token ends the whole authorization, an access token only itself. 200 for an unknown " +
    "token too, and 503 if the instance lacks the key that signed a refresh token: it is still valid, so repeat the call.",
  body: form(TokenForm),
  answers: { 200: json(Type.Object({}), "The token is not valid, or no longer.", COUNTED) },
});

export const introspectToken = endpoint({
  ...calls,
  id: "oauth.introspect",
  url: "/api/oauth/introspect",
  summary: "Introspect a token (RFC 7662)",
  description:
    "Returns whether a token is valid, and for what. No other credential than the token is needed. 503 if the " +
    "instance lacks the key that signed a refresh token.",
  body: form(TokenForm),
  answers: { 200: json(Introspection, "What the token is.", COUNTED) },
});
