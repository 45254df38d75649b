import { type Static, Type } from "typebox";
import { APPLICATION, grantTypes } from "./basics.ts";

const redirectUris = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: 10,
  description:
    "https, a loopback address with http, or a private-use scheme: a reversed domain name such as com.example.app, or the scheme of a known client such as cursor or vscode.",
});

/** What an application sends to be registered. */
export const ClientRegistration = Type.Object(
  {
    redirect_uris: redirectUris,
    client_name: Type.Optional(
      Type.String({
        maxLength: 256,
        description:
          "Shown to people verbatim; it has a visible character and no line break. Defaults to the host of the first redirect URI.",
      }),
    ),
    client_uri: Type.Optional(
      Type.String({
        format: "uri",
        maxLength: 2_048,
        description: "http or https, without user information.",
      }),
    ),
    logo_uri: Type.Optional(
      Type.String({
        format: "uri",
        maxLength: 2_048,
        description: "http or https, without user information; a logo that is not on https is not loaded.",
      }),
    ),
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
