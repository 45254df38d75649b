import * as oauth from "../../../contract/oauth/oauth.ts";
import type { Introspection } from "../../../contract/oauth/token.ts";
import { introspectToken, type LivingToken } from "../../../domain/grants/introspect-token.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { postOnly } from "./cors.ts";
import { formParameters } from "./form-parameters.ts";

/** The introspection endpoint (RFC 7662 2), which requires no other credential than the token itself. */
export const introspect = postOnly({
  endpoint: oauth.introspectToken,
  bodyLimit: 16 * 1_024,
  limit: "introspect",
  async handle(service, request) {
    const form = formParameters(request);
    const input = { token: form.need("token") };
    const living = await perform(service, introspectToken, { clientId: form.get("client_id") }, input);
    return { status: 200, body: living === undefined ? { active: false } : described(service, living) };
  },
});

const described = ({ config: { authUrl } }: Service, token: LivingToken): Introspection => ({
  active: true,
  scope: token.scopes.join(" "),
  client_id: token.clientId,
  token_type: token.kind === "access" ? "Bearer" : "refresh_token",
  exp: token.expiresAt,
  iat: token.issuedAt,
  sub: token.personId,
  aud: `${authUrl}/mcp`,
  iss: authUrl,
  project_id: token.projectId,
});
