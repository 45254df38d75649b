import { revokeToken } from "../../../domain/grants/revoke-token.ts";
import { postOnly } from "./cors.ts";
import { formParameters } from "./form-parameters.ts";

/** The revocation endpoint (RFC 7009 2): 200 for an unknown token too. */
export const revoke = postOnly({
  url: "/api/oauth/revoke",
  describe: { summary: "Revoke a token (RFC 7009)", tags: ["OAuth"] },
  bodyLimit: 16 * 1_024,
  limit: "revoke",
  async handle(service, request) {
    const form = formParameters(request);
    await revokeToken(service, { token: form.need("token"), clientId: form.get("client_id") });
    return { status: 200, body: {} };
  },
});
